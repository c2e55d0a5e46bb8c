/** A settlement: its row, and its form on the wire (contract chapter 16). Written once, never changed. */

import type { Resolution, Side } from '../core/terms.ts';
import { settlementMoney } from '../money/blocks.ts';
import { jsonNumber, MICRO_SCALE } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import type { Settlement } from '../wire/reconciliation/settlement.ts';

export interface SettlementRow {
  readonly settlementId: string;
  readonly positionId: string;
  /** The sequence of its `position.settled` item, which is the register's cursor. */
  readonly sequence: bigint;
  readonly externalUserId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly resolution: Resolution;
  readonly outcome: 'won' | 'lost' | 'void';
  readonly quantity: bigint;
  readonly settlementCreditMinor: bigint;
  readonly voidCreditMinor: bigint;
  readonly realisedPnlMinor: bigint;
  readonly lifetimeRealisedPnlMinor: bigint;
  readonly simulated: boolean;
  readonly settledAt: Date;
}

/** @param cursor resumes the register right after this settlement */
export function renderSettlement(row: SettlementRow, cursor: string): Settlement {
  return {
    id: row.settlementId,
    positionId: row.positionId,
    externalUserId: row.externalUserId,
    contractId: row.contractId,
    side: row.side,
    resolution: row.resolution,
    outcome: row.outcome,
    contracts: jsonNumber(row.quantity, MICRO_SCALE),
    realisedPnl: formatMinor(row.realisedPnlMinor),
    lifetimeRealisedPnl: formatMinor(row.lifetimeRealisedPnlMinor),
    settledAt: row.settledAt.toISOString(),
    operatorMoney: settlementMoney({
      settlementCreditMinor: row.settlementCreditMinor,
      voidCreditMinor: row.voidCreditMinor,
    }),
    cursor,
    simulated: row.simulated,
  };
}

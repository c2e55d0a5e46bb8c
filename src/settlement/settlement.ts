/** A settlement: its row, and its form on the wire (specification "Settlement"). Written once, never changed. */

import type { Resolution, Side } from '../core/terms.ts';
import { settlementMoney } from '../money/blocks.ts';
import { jsonNumber, MICRO_SCALE } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import type { Settlement } from '../wire/reconciliation/settlement.ts';

export interface SettlementRow {
  readonly settlement_id: string;
  readonly position_id: string;
  /** The sequence of its `position.settled` item, which is the register's cursor. */
  readonly feed_position: bigint;
  readonly external_user_id: string;
  readonly contract_id: string;
  readonly side: Side;
  readonly resolution: Resolution;
  readonly outcome: 'won' | 'lost' | 'void';
  readonly quantity: bigint;
  readonly settlement_credit_minor: bigint;
  readonly void_credit_minor: bigint;
  readonly realised_pnl_minor: bigint;
  readonly lifetime_realised_pnl_minor: bigint;
  readonly simulated: boolean;
  readonly settled_at: Date;
}

/** @param cursor resumes the register right after this settlement */
export function renderSettlement(row: SettlementRow, cursor: string): Settlement {
  return {
    id: row.settlement_id,
    positionId: row.position_id,
    externalUserId: row.external_user_id,
    contractId: row.contract_id,
    side: row.side,
    resolution: row.resolution,
    outcome: row.outcome,
    contracts: jsonNumber(row.quantity, MICRO_SCALE),
    realisedPnl: formatMinor(row.realised_pnl_minor),
    lifetimeRealisedPnl: formatMinor(row.lifetime_realised_pnl_minor),
    settledAt: row.settled_at.toISOString(),
    operatorMoney: settlementMoney({
      settlementCreditMinor: row.settlement_credit_minor,
      voidCreditMinor: row.void_credit_minor,
    }),
    cursor,
    simulated: row.simulated,
  };
}

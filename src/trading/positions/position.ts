/** A position: facts of what a customer holds, never instructions and never a market value (contract 15.1). */
import type { Side } from '../../core/terms.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { formatMinor } from '../../money/usd.ts';
import type { Position } from '../../wire/position.ts';

export interface PositionRow {
  readonly positionId: string;
  readonly externalUserId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly simulated: boolean;
  readonly status: 'open' | 'closed' | 'settled';
  readonly quantity: bigint;
  readonly heldQuantity: bigint;
  readonly costBasisMinor: bigint;
  readonly entryFeesMinor: bigint;
  readonly priceWeight: string;
  readonly averagePriceMicros: bigint;
  readonly realisedPnlMinor: bigint;
  readonly openedAt: Date;
  readonly updatedAt: Date;
  readonly version: bigint;
}

export function renderPosition(position: PositionRow): Position {
  return {
    positionId: position.positionId,
    externalUserId: position.externalUserId,
    contractId: position.contractId,
    side: position.side,
    status: position.status,
    quantity: jsonNumber(position.quantity, MICRO_SCALE),
    averagePrice: jsonNumber(position.averagePriceMicros, MICRO_SCALE),
    openedAt: position.openedAt.toISOString(),
    updatedAt: position.updatedAt.toISOString(),
    operatorMoney: {
      currency: 'USD',
      costBasis: formatMinor(position.costBasisMinor),
      realisedPnl: formatMinor(position.realisedPnlMinor),
    },
  };
}

/** A position: facts of what a customer holds, never instructions and never a market value (specification "Position"). */
import type { Side } from '../../core/terms.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { formatMinor } from '../../money/usd.ts';
import type { Position } from '../../wire/position.ts';

export interface PositionRow {
  readonly position_id: string;
  readonly external_user_id: string;
  readonly contract_id: string;
  readonly side: Side;
  readonly simulated: boolean;
  readonly status: 'open' | 'closed' | 'settled';
  readonly quantity: bigint;
  readonly held_quantity: bigint;
  readonly cost_basis_minor: bigint;
  readonly entry_fees_minor: bigint;
  readonly price_weight: string;
  readonly average_price_micros: bigint;
  readonly realised_pnl_minor: bigint;
  readonly opened_at: Date;
  readonly updated_at: Date;
  readonly version: bigint;
}

export function renderPosition(position: PositionRow): Position {
  return {
    positionId: position.position_id,
    externalUserId: position.external_user_id,
    contractId: position.contract_id,
    side: position.side,
    status: position.status,
    quantity: jsonNumber(position.quantity, MICRO_SCALE),
    averagePrice: jsonNumber(position.average_price_micros, MICRO_SCALE),
    openedAt: position.opened_at.toISOString(),
    updatedAt: position.updated_at.toISOString(),
    operatorMoney: {
      currency: 'USD',
      costBasis: formatMinor(position.cost_basis_minor),
      realisedPnl: formatMinor(position.realised_pnl_minor),
    },
  };
}

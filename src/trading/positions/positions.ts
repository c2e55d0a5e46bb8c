/** Where positions are kept: reads by page, by id, and the venues that hold an exit's contracts. */
import { asOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import type { Trader } from '../trader.ts';
import type { PositionRow } from './position.ts';

export interface PositionFilter {
  readonly externalUserId?: string | undefined;
  /** Any of these. */
  readonly status?: readonly string[] | undefined;
  /** Positions after this id in the listing, newest first. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export type HoldingVenues = (
  trader: Pick<Trader, 'operator' | 'externalUserId'>,
  line: { readonly contractId: string; readonly side: string },
) => Promise<readonly Holding[]>;

interface Holding {
  readonly venue: string;
  /** Micro-contracts that are not being sold. */
  readonly free: bigint;
}

/** One page, newest first, and one row more if there is a next page. */
export function listPositions(sql: Sql, operatorId: string, filter: PositionFilter): Promise<PositionRow[]> {
  return asOperator<PositionRow[]>(
    sql,
    operatorId,
    sql`
    select * from positions
    where operator_id = ${operatorId}
      ${filter.externalUserId === undefined ? sql`` : sql`and external_user_id = ${filter.externalUserId}`}
      ${filter.status === undefined ? sql`` : sql`and status = any(${filter.status}::text[])`}
      ${filter.before === undefined ? sql`` : sql`and position_id < ${filter.before}`}
    order by position_id desc limit ${filter.limit + 1}`,
  );
}

export async function findPosition(sql: Sql, operatorId: string, positionId: string): Promise<PositionRow | undefined> {
  const [row] = await asOperator<PositionRow[]>(
    sql,
    operatorId,
    sql`select * from positions where operator_id = ${operatorId} and position_id = ${positionId}`,
  );
  return row;
}

/** Venues at which live contracts of this line are held and free to sell. */
export function createHoldingVenuesReader(sql: Sql): HoldingVenues {
  return ({ operator, externalUserId }, { contractId, side }) =>
    sql<Holding[]>`
      select h.venue, h.quantity - h.held_quantity as free from positions p join position_holdings h using (operator_id, position_id)
      where p.operator_id = ${operator.operatorId} and p.external_user_id = ${externalUserId}
        and p.contract_id = ${contractId} and p.side = ${side} and not p.simulated and p.status = 'open'
        and h.quantity > h.held_quantity
      order by h.quantity desc`;
}

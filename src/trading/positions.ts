/** Where positions are kept: reads by page, by id, and the venues that hold an exit's contracts. */
import { decodeId, encodeCursor } from '../core/cursor.ts';
import type { Side } from '../core/terms.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { jsonNumber, MICRO_SCALE } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import type { Operator } from '../operators/operator.ts';
import type { Position, PositionPage } from '../wire/position.ts';

export interface PositionFilter {
  readonly externalUserId?: string | undefined;
  /** Any of these. */
  readonly status?: readonly string[] | undefined;
  /** Positions after this id in the listing, newest first. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export type HoldingVenues = (
  trader: { readonly operator: Pick<Operator, 'operatorId'>; readonly externalUserId: string },
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

export interface PositionPageRequest {
  readonly externalUserId?: string | undefined;
  /** Any of these. */
  readonly status?: readonly string[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The positions list: one page, newest first (contract chapter 15).
 *
 * @throws invalid_cursor for a cursor that is malformed, of another operator or of another listing.
 */
export async function pagePositions(sql: Sql, operatorId: string, request: PositionPageRequest): Promise<PositionPage> {
  const purpose = `positions:${operatorId}`;
  const rows = await listPositions(sql, operatorId, {
    externalUserId: request.externalUserId,
    status: request.status,
    before: request.cursor === undefined ? undefined : decodeId(purpose, request.cursor, 'pos'),
    limit: request.limit,
  });
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  const hasMore = rows.length > request.limit;
  return {
    positions: page.map(renderPosition),
    count: page.length,
    nextCursor: hasMore && last !== undefined ? encodeCursor(purpose, [last.positionId]) : null,
    hasMore,
  };
}

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

/** A position: facts of what a customer holds, never instructions and never a market value (contract 15.1). */
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

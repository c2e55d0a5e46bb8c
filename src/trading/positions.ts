/**
 * Reads positions: by id, by page, as they read on the wire, and the venues at which contracts of a line are held. Only money statements
 * write them.
 */
import { decodeId, encodeCursor } from '../core/cursor.ts';
import type { Side } from '../core/terms.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { jsonNumber, MICRO_SCALE } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import type { Operator } from '../operators/operator.ts';
import type { Position, PositionPage } from '../wire/position.ts';

/** Amounts are cents, prices micro-dollars, quantities micro-contracts. */
export interface PositionRow {
  readonly positionId: string;
  readonly externalUserId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly simulated: boolean;
  readonly status: 'open' | 'closed' | 'settled';
  readonly quantityMicros: bigint;
  readonly heldQuantityMicros: bigint;
  readonly costBasisMinor: bigint;
  readonly entryFeesMinor: bigint;
  readonly priceWeight: string;
  readonly averagePriceMicros: bigint;
  readonly realisedPnlMinor: bigint;
  readonly openedAt: Date;
  readonly updatedAt: Date;
  readonly version: bigint;
}

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
  /** Micro-contracts that are not held back for an open sell. */
  readonly free: bigint;
}

/** One page, newest first, and one additional row if there is a next page. */
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

/** Reads the venues at which live contracts of a line are held and free to sell, the largest holding first. */
export function createHoldingVenuesReader(sql: Sql): HoldingVenues {
  return ({ operator, externalUserId }, { contractId, side }) =>
    sql<Holding[]>`
      select h.venue, h.quantity_micros - h.held_quantity_micros as free from positions p join position_holdings h using (operator_id, position_id)
      where p.operator_id = ${operator.operatorId} and p.external_user_id = ${externalUserId}
        and p.contract_id = ${contractId} and p.side = ${side} and not p.simulated and p.status = 'open'
        and h.quantity_micros > h.held_quantity_micros
      order by h.quantity_micros desc`;
}

export interface PositionPageRequest {
  readonly externalUserId?: string | undefined;
  /** Any of these. */
  readonly status?: readonly string[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The list of positions, newest first (contract chapter 15).
 * @throws invalid_cursor if the cursor is malformed, or belongs to another operator or another listing
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

/** The fields of a position that the API shows. */
export type ShownPosition = Omit<
  PositionRow,
  'simulated' | 'heldQuantityMicros' | 'entryFeesMinor' | 'priceWeight' | 'version'
>;

/** A position on the wire: facts about a customer's contracts, never instructions and never a market value (contract 15.1). */
export function renderPosition(position: ShownPosition): Position {
  return {
    positionId: position.positionId,
    externalUserId: position.externalUserId,
    contractId: position.contractId,
    side: position.side,
    status: position.status,
    quantity: jsonNumber(position.quantityMicros, MICRO_SCALE),
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

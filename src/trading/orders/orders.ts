/** Where orders are kept: the batched money statement that writes them, and the reads by id, key and page. */
import type { Batcher } from '../../core/batcher.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Side } from '../../core/terms.ts';
import { asOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import type { BrokenLimits } from '../refusals.ts';
import { createCommandQueue } from './command-queue.ts';
import type { FillRow, OrderRow } from './order.ts';
import type { OrderCommand } from './order-command.ts';

/**
 * What `place_orders` answers: the order of an earlier try (`created`) or of an earlier request (`replay`), a refusal, or
 * something that changed since the order was decided, so that it is decided again.
 */
export type OrderCode = ErrorCode | 'created' | 'replay' | 'limits' | 'jurisdiction' | Changed;
export type Changed = 'quote_changed' | 'book_changed' | 'position_changed' | 'scenario_changed';

export interface OrderVerdict {
  /** Null or `created` if the order was written. */
  readonly code: OrderCode | null;
  readonly orderId: string;
  readonly positionId: string | null;
  readonly createdAt: Date;
  readonly limits: BrokenLimits | null;
}

export type PlaceOrders = (command: OrderCommand) => Promise<OrderVerdict>;

export function createPlaceOrders(sql: Sql): Batcher<OrderCommand, OrderVerdict> {
  return createCommandQueue(
    sql,
    (parameters) => sql<OrderVerdict[]>`
      select code, order_id, position_id, created_at, limits from place_orders(${parameters}) order by number`,
  );
}

export async function findOrder(sql: Sql, operatorId: string, orderId: string): Promise<OrderRow | undefined> {
  const [row] = await asOperator<OrderRow[]>(
    sql,
    operatorId,
    sql`select * from orders where operator_id = ${operatorId} and order_id = ${orderId}`,
  );
  return row;
}

export async function findOrderByKey(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  clientOrderId: string,
): Promise<OrderRow | undefined> {
  const [row] = await asOperator<OrderRow[]>(
    sql,
    operatorId,
    sql`
    select * from orders where operator_id = ${operatorId} and external_user_id = ${externalUserId}
      and client_order_id = ${clientOrderId}`,
  );
  return row;
}

export interface OrderFilter {
  readonly externalUserId?: string | undefined;
  /** Any of these. */
  readonly status?: readonly string[] | undefined;
  readonly executionRef?: string | undefined;
  readonly contractId?: string | undefined;
  readonly side?: Side | undefined;
  /** Inclusive bounds on the time of creation. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Orders after this id in the listing, newest first. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** One page, newest first, and one row more if there is a next page. */
export function listOrders(sql: Sql, operatorId: string, filter: OrderFilter): Promise<OrderRow[]> {
  return asOperator<OrderRow[]>(
    sql,
    operatorId,
    sql`
    select * from orders
    where operator_id = ${operatorId}
      ${filter.externalUserId === undefined ? sql`` : sql`and external_user_id = ${filter.externalUserId}`}
      ${filter.status === undefined ? sql`` : sql`and status = any(${filter.status}::text[])`}
      ${filter.executionRef === undefined ? sql`` : sql`and execution_ref = ${filter.executionRef}`}
      ${filter.contractId === undefined ? sql`` : sql`and contract_id = ${filter.contractId}`}
      ${filter.side === undefined ? sql`` : sql`and side = ${filter.side}`}
      ${filter.since === undefined ? sql`` : sql`and created_at >= ${filter.since}`}
      ${filter.until === undefined ? sql`` : sql`and created_at < ${filter.until}::timestamptz + interval '1 millisecond'`}
      ${filter.before === undefined ? sql`` : sql`and order_id < ${filter.before}`}
    order by order_id desc limit ${filter.limit + 1}`,
  );
}

export function listFills(sql: Sql, operatorId: string, orderId: string): Promise<FillRow[]> {
  return asOperator<FillRow[]>(
    sql,
    operatorId,
    sql`
    select fill_id, quantity, price_micros, filled_at from fills
    where operator_id = ${operatorId} and order_id = ${orderId} order by fill_no`,
  );
}

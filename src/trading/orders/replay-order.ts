/**
 * The replay of an order: the same key again is answered with the order as it stands, whatever has changed since (quotes,
 * prices, limits, a suspension, a pause). It writes nothing and confirms nothing.
 */

import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';
import type { Trader } from '../trader.ts';
import type { OrderRequest } from './decide-order.ts';
import { awaitDurable } from './durable-order.ts';
import type { OrderRow } from './order.ts';
import { findOrder } from './orders.ts';

export interface PlacedOrder {
  readonly order: OrderRow;
  /** True if the key already named this order and nothing was written. */
  readonly replay: boolean;
}

/** @throws idempotency_conflict if the key was used with another quote. */
export async function replayOrder(
  sql: Sql,
  { operator }: Trader,
  { quoteId }: OrderRequest,
  orderId: string,
): Promise<PlacedOrder> {
  const order = await findOrder(sql, operator.operatorId, orderId);
  if (order === undefined) {
    throw refuse('internal_error');
  }
  if (order.quote_id !== quoteId) {
    throw refuse('idempotency_conflict');
  }
  await awaitDurable(sql, operator.operatorId, orderId);
  return { order, replay: true };
}

/** The orders list: one page newest first, or the one order of a key (contract 11.13). */

import { decodeId, encodeCursor } from '../../core/cursor.ts';
import { readExecutionRef } from '../../core/ids.ts';
import { readMoment } from '../../core/moment.ts';
import type { Side } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { OrderPage } from '../../wire/order.ts';
import { findOrderByKey, listOrders } from './orders.ts';
import { renderOrder } from './render-order.ts';

export interface OrderPageRequest {
  readonly externalUserId?: string | undefined;
  readonly clientOrderId?: string | undefined;
  readonly executionRef?: string | undefined;
  readonly contractId?: string | undefined;
  readonly side?: Side | undefined;
  /** Any of these. */
  readonly status?: readonly string[] | undefined;
  /** Bounds that are no date-time are ignored. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** @throws invalid_cursor for a cursor that is malformed, of another operator or of another listing. */
export async function pageOrders(sql: Sql, operatorId: string, request: OrderPageRequest): Promise<OrderPage> {
  const { externalUserId, clientOrderId } = request;
  if (clientOrderId !== undefined && externalUserId !== undefined) {
    const found = await findOrderByKey(sql, operatorId, externalUserId, clientOrderId);
    const orders = found === undefined ? [] : [renderOrder(found, { intent: true })];
    return { orders, count: orders.length, nextCursor: null, hasMore: false };
  }
  const purpose = `orders:${operatorId}`;
  const rows = await listOrders(sql, operatorId, {
    externalUserId,
    status: request.status,
    contractId: request.contractId,
    side: request.side,
    executionRef: request.executionRef === undefined ? undefined : readExecutionRef(request.executionRef),
    since: readTime(request.since),
    until: readTime(request.until),
    before: request.cursor === undefined ? undefined : decodeId(purpose, request.cursor, 'ord'),
    limit: request.limit,
  });
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  const hasMore = rows.length > request.limit;
  return {
    orders: page.map((row) => renderOrder(row)),
    count: page.length,
    nextCursor: hasMore && last !== undefined ? encodeCursor(purpose, [last.orderId]) : null,
    hasMore,
  };
}

/** Read as everywhere else: UTC if no offset is given, and never in the zone of this machine. Anything else is no bound. */
function readTime(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : readMoment(text);
}

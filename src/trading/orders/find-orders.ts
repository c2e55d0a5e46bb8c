/** Finds orders by what support staff know: an executionRef, an order id or a clientOrderId, over all operators. Reads only. */

import { readExecutionRef } from '../../core/ids.ts';
import type { Mode } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { OrderForUpdate } from './transition-orders.ts';

export interface ReferencedOrder extends OrderForUpdate {
  readonly slug: string;
  readonly mode: Mode;
}

const MOST = 20;

export function findOrders(
  sql: Sql,
  reference: string,
  within: { readonly operator?: string | undefined; readonly externalUserId?: string | undefined } = {},
): Promise<ReferencedOrder[]> {
  const { operator, externalUserId } = within;
  return sql<ReferencedOrder[]>`
    select r.*, o.slug, o.mode from orders r join operators o using (operator_id)
    where (r.execution_ref = ${readExecutionRef(reference)} or r.order_id = ${reference} or r.client_order_id = ${reference})
      ${operator === undefined ? sql`` : sql`and (o.slug = ${operator} or o.operator_id = ${operator})`}
      ${externalUserId === undefined ? sql`` : sql`and r.external_user_id = ${externalUserId}`}
    order by r.order_id limit ${MOST}`;
}

/** An order whose outcome at the venue is unknown, with what was tried. */
export interface StuckOrder extends ReferencedOrder {
  readonly attempt: string | null;
  readonly sentAt: Date | null;
  readonly lookups: number | null;
}

/** Transmitted orders whose outcome at the venue is unknown, oldest first. */
export function listStuck(sql: Sql): Promise<StuckOrder[]> {
  return sql`
    select r.*, o.slug, o.mode, t.state as attempt, t.sent_at, t.lookups
    from orders r join operators o using (operator_id) left join transmissions t on t.operator_id = r.operator_id and t.order_id = r.order_id
    where r.transmission_state = 'unknown' and r.status in ('submitted', 'partially_filled')
    order by r.order_id`;
}

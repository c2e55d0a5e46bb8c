/** Finds orders by what support staff know: an executionRef, an order id or a clientOrderId, over all operators. Reads only. */

import { readExecutionRef, readReferenceBeginning, referencesNear } from '../../core/ids.ts';
import type { Mode } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { OrderRow } from './order.ts';

export interface ReferencedOrder extends OrderRow {
  readonly slug: string;
  readonly mode: Mode;
}

const MOST = 20;
const LEAST_OF_AN_ID = 6;
const MOST_NEAR = 5;
/** `inl_Best_` and as many characters as two references seldom share. */
const SAME_BEGINNING = 14;

/** Slug or id, the operator's own id of the customer, and the earliest time of creation. */
export interface OrdersWithin {
  readonly operator?: string | undefined;
  readonly externalUserId?: string | undefined;
  readonly since?: Date | undefined;
}

/** Exact references first; if there are none, what was written with other signs, abbreviated, or only begun. */
export async function findOrders(sql: Sql, reference: string, within: OrdersWithin = {}): Promise<ReferencedOrder[]> {
  const exact = await findWhere(
    sql,
    within,
    sql`(r.execution_ref = ${readExecutionRef(reference)} or r.order_id = ${reference} or r.client_order_id = ${reference})`,
  );
  if (exact.length > 0) {
    return exact;
  }
  const [head = '', tail = ''] = reference.trim().split(/…|\.\.\./);
  if (/^ord_./.test(head) && head.length + tail.length >= LEAST_OF_AN_ID) {
    return findWhere(
      sql,
      within,
      sql`starts_with(r.order_id, ${head}) and right(r.order_id, ${tail.length}) = ${tail}`,
    );
  }
  const beginning = readReferenceBeginning(reference);
  return beginning === undefined ? [] : findWhere(sql, within, sql`r.execution_ref like ${`${beginning}%`}`);
}

/**
 * For a reference that is not found: orders whose reference differs by one slip or begins in the same way; if there are none, the
 * newest orders of the customer, if one is named.
 */
export async function findNearOrders(sql: Sql, reference: string, within: OrdersWithin): Promise<ReferencedOrder[]> {
  const beginning = readReferenceBeginning(reference)?.slice(0, SAME_BEGINNING);
  const near = await findWhere(sql, within, sql`r.execution_ref = any (${referencesNear(reference)}::text[])`);
  if (near.length === 0 && beginning !== undefined) {
    near.push(...(await findWhere(sql, within, sql`r.execution_ref like ${`${beginning}%`}`)));
  }
  if (near.length === 0 && within.externalUserId !== undefined) {
    near.push(...(await findWhere(sql, within, sql`true`)));
  }
  return near.slice(0, MOST_NEAR);
}

function findWhere(
  sql: Sql,
  { operator, externalUserId, since }: OrdersWithin,
  condition: ReturnType<Sql>,
): Promise<ReferencedOrder[]> {
  return sql<ReferencedOrder[]>`
    select r.*, o.slug, o.mode from orders r join operators o using (operator_id)
    where ${condition}
      ${operator === undefined ? sql`` : sql`and (o.slug = ${operator} or o.operator_id = ${operator})`}
      ${externalUserId === undefined ? sql`` : sql`and r.external_user_id = ${externalUserId}`}
      ${since === undefined ? sql`` : sql`and r.created_at >= ${since}`}
    order by r.order_id desc limit ${MOST}`;
}

/** The newest orders over all operators, the newest first; ids rise with time. */
export function listNewest(sql: Sql, most: number): Promise<ReferencedOrder[]> {
  return sql`
    select r.*, o.slug, o.mode from operator_ledgers l join operators o using (operator_id) cross join lateral (
      select * from orders where operator_id = l.operator_id order by order_id desc limit ${most}) r
    order by r.order_id desc limit ${most}`;
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

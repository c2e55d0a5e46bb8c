/** Finds orders by what support staff know: an executionRef, an order id or a clientOrderId, over all operators. Reads only. */

import { readExecutionRef, readReferenceBeginning } from '../../core/ids.ts';
import type { Mode } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { OrderForUpdate } from './transition-orders.ts';

export interface ReferencedOrder extends OrderForUpdate {
  readonly slug: string;
  readonly mode: Mode;
}

const MOST = 20;
const LEAST_OF_AN_ID = 6;

interface Within {
  readonly operator?: string | undefined;
  readonly externalUserId?: string | undefined;
}

/** Exact references first; if there are none, what was written with other signs, abbreviated, or only begun. */
export async function findOrders(sql: Sql, reference: string, within: Within = {}): Promise<ReferencedOrder[]> {
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

function findWhere(
  sql: Sql,
  { operator, externalUserId }: Within,
  condition: ReturnType<Sql>,
): Promise<ReferencedOrder[]> {
  return sql<ReferencedOrder[]>`
    select r.*, o.slug, o.mode from orders r join operators o using (operator_id)
    where ${condition}
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

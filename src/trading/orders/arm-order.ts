/** Arms one order of an account whose arming is manual, and wakes the worker that sends it. */
import type { Sql } from '../../db/client.ts';
import type { OrderRow } from './order.ts';

/** @returns whether the order was waiting to be armed. */
export async function armOrder(sql: Sql, order: Pick<OrderRow, 'operatorId' | 'orderId'>): Promise<boolean> {
  const rows = await sql`
    update orders set armed = true, version = version + 1, updated_at = now()
    where operator_id = ${order.operatorId} and order_id = ${order.orderId} and not armed
      and status in ('reserve_pending', 'pending_venue_execution') returning order_id`;
  await sql`select pg_notify('transmit', '')`;
  return rows.length > 0;
}

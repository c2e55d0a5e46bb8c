/**
 * May an order be sent? This is read before a transmission: in SQL for the orders that wait, in TypeScript for the order that was
 * just placed. `transmission_refusal` in SQL decides again under its locks and checks the caps as well;
 * test/live/may-send.test.ts shows that both agree.
 */
import type { Sql } from '../../db/client.ts';
import type { Operator } from '../../operators/operator.ts';

/** Orders of this operator are armed when they are recorded. */
export function armsAtOnce({ arming }: Pick<Operator, 'arming'>): boolean {
  return arming === 'automatic';
}

/** Both gates are open for an order that this operator records now. */
export function sendsAtOnce(operator: Pick<Operator, 'arming' | 'executionConfirmed'>): boolean {
  return operator.executionConfirmed && armsAtOnce(operator);
}

/** Both gates are open. A condition over `operators o` and `orders r`. */
export const gatesOpen = (sql: Sql) => sql`(o.execution_confirmed and r.armed)`;

/** What `withdrawReason` asks of the operator and the customer, as columns over `operators o`, `customers k` and `orders r`. */
export const sendingFacts = (sql: Sql) => sql`
  o.status as operator_status, k.status as customer_status, o.trading_paused, ${gatesOpen(sql)} as gates_open,
  waited_too_long(r.status, r.updated_at, o.execution_confirmed_at) as waited_too_long`;

/** The code that an unsent order is withdrawn with, or null. Over orders `r` with their `sendingFacts`, and `contracts m`. */
export const withdrawReason = (sql: Sql) => sql`
  case when r.operator_status = 'suspended' then 'operator_suspended'
    when r.customer_status <> 'active' then 'user_suspended'
    when m.status not in ('open', 'paused') or m.trading_closed or m.closes_at <= now() then 'market_not_open'
    when r.trading_paused and r.status = 'pending_venue_execution' then 'trading_paused'
    when m.operator_paused and r.status = 'pending_venue_execution' then 'market_unavailable'
    when r.gates_open and r.waited_too_long then 'venue_unavailable' end`;

/**
 * Turns fills and events that are part of their order's row into rows of their own, as those of orders at venues are, so that a test
 * can change one of them. For the owner of the tables, with triggers out of the way.
 *
 * @param which condition on an order
 * @returns three statements
 */
export const fillsAsRows = (which: string): readonly [string, string, string] => [
  `insert into outbox_events (operator_id, event_id, type, dedupe_key, data, created_at)
   select e.operator_id, e.event_id, e.type, e.dedupe_key, e.data, i.occurred_at from order_events e join leading_items i
     on i.operator_id = e.operator_id and i.order_id = e.order_id and i.type = 'order.state_changed' and i.detail ->> 'fromState' is null
   where (e.operator_id, e.order_id) in (select operator_id, order_id from orders where ${which})`,
  `insert into fill_rows select * from fills
   where (operator_id, order_id) in (select operator_id, order_id from orders where filled_at_once and ${which})`,
  `update orders set filled_at_once = false where filled_at_once and ${which}`,
];

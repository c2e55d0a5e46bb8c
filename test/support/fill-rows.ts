/**
 * Turns events that are part of their order's row (migration 0075) back into the form of before, rows of the outbox, and gives the
 * fills of those orders their ids. For the owner of the tables, with triggers out of the way.
 *
 * @param which condition on an order
 * @returns two statements
 */
export const eventsAsRows = (which: string): readonly [string, string] => [
  `insert into outbox_events (operator_id, event_id, type, dedupe_key, data, created_at)
   select e.operator_id, e.event_id, e.type, e.dedupe_key, e.data, i.occurred_at from order_events e join leading_items i
     on i.operator_id = e.operator_id and i.order_id = e.order_id and i.type = 'order.state_changed' and i.detail ->> 'fromState' is null
   where (e.operator_id, e.order_id) in (select operator_id, order_id from orders where ${which})`,
  `update orders set own_fill_id = 'fil' || substr(order_id, 4), filled_at_once = false where filled_at_once and ${which}`,
];

/**
 * Turns fills that are part of their order's row back into the form of before migration 0068, rows of their own, and their events, too.
 * For the owner of the tables, with triggers out of the way.
 *
 * @param which condition on an order
 * @returns four statements
 */
export const fillsAsRows = (which: string): readonly string[] => [
  ...eventsAsRows(which),
  `insert into fill_rows select * from fills
   where (operator_id, order_id) in (select operator_id, order_id from orders where own_fill_id is not null and ${which})`,
  `update orders set own_fill_id = null where own_fill_id is not null and ${which}`,
];

/**
 * Turns fills that are part of their order's row into rows of their own, as those of orders at venues are, so that a test
 * can change one of them. In the service's tables and in the auditor's books, which have read the orders by then. For the owner of the
 * tables, with triggers out of the way.
 *
 * @param which condition on an order
 * @returns statements
 */
export function fillsAsRows(which: string): readonly string[] {
  const own = `filled_at_once and ${which}`;
  const stored = `from fills where (operator_id, order_id) in (select operator_id, order_id from orders where ${own})`;
  return [
    `insert into audit.fills select operator_id, order_id, fill_no, fill_id, quantity, price_micros, fee_micros, filled_at ${stored}`,
    `insert into fill_rows select * ${stored}`,
    `update audit.orders set filled_at_once = false where ${own}`,
    `update orders set filled_at_once = false where ${own}`,
  ];
}

/**
 * Turns fills that are part of their order's row into rows of their own, as those of orders at venues are, so that a test
 * can change one of them. For the owner of the tables, with triggers out of the way.
 *
 * @param which condition on an order
 * @returns two statements
 */
export const fillsAsRows = (which: string): readonly [string, string] => [
  `insert into fill_rows select * from fills
   where (operator_id, order_id) in (select operator_id, order_id from orders where filled_at_once and ${which})`,
  `update orders set filled_at_once = false where filled_at_once and ${which}`,
];

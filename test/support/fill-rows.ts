/**
 * Turns fills that are part of their order's row back into the form of before migration 0068, rows of their own. For the owner of
 * the tables, with triggers out of the way.
 *
 * @param which condition on an order
 * @returns two statements
 */
export const fillsAsRows = (which: string): readonly [string, string] => [
  `insert into fill_rows select * from fills
   where (operator_id, order_id) in (select operator_id, order_id from orders where own_fill_id is not null and ${which})`,
  `update orders set own_fill_id = null where own_fill_id is not null and ${which}`,
];

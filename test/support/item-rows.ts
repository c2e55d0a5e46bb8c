/**
 * Turns items that are inside rows into rows of their own, and short first items into full ones, so that a test can change one of
 * them. For the owner of the tables, with triggers out of the way.
 *
 * @param which condition on a row of the feed
 * @returns three statements
 */
export const followingAsRows = (which: string): readonly [string, string, string] => [
  `insert into feed_item_rows (operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail)
   select operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail from following_items
   where (operator_id, head) in (select operator_id, position from feed_item_rows where ${which})`,
  `update feed_item_rows set following = null where following is not null and ${which}`,
  `update feed_item_rows row set item_id = item.item_id, money = item.money, detail = item.detail from leading_items item
   where left(row.detail::text, 1) = '"' and item.operator_id = row.operator_id and item.position = row.position
     and (row.operator_id, row.position) in (select operator_id, position from feed_item_rows where ${which})`,
];

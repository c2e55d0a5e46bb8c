/**
 * Turns entries back into the form of before migration 0064, with their items in rows of their own; seals hold, because what an
 * entry says of its customer and its order stays. For the owner of the tables, with triggers out of the way.
 *
 * @param which condition on an entry
 * @returns two statements
 */
export const itemsAsRows = (which: string): readonly [string, string] => [
  `insert into feed_item_rows (operator_id, position, type, item_id, occurred_at, external_user_id, order_id, money, detail)
   select operator_id, position, type, item_id, occurred_at, external_user_id, order_id, money, detail from feed_items
   where (operator_id, position) in (select operator_id, position from ledger_entries where is_item and ${which})`,
  `update ledger_entries set is_item = null where is_item and ${which}`,
];

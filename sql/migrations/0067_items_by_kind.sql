-- concurrently
-- Finds the items of a type inside rows, as feed_item_rows_by_type finds the others: in blocks of 256 positions. The expression is the
-- body of the function following_kinds, which PostgreSQL does not put into an index by itself.
create index if not exists feed_item_rows_by_kinds on only feed_item_rows (operator_id,
    (case when strpos(following, E'\na') > 0 then 'a' else '' end || case when strpos(following, E'\nf') > 0 then 'f' else '' end
      || case when strpos(following, E'\nw') > 0 then 'w' else '' end || case when strpos(following, E'\nx') > 0 then 'x' else '' end), (position >> 8))
  where following is not null;
create index if not exists feed_item_rows_before_by_kinds on only feed_item_rows_before (operator_id,
    (case when strpos(following, E'\na') > 0 then 'a' else '' end || case when strpos(following, E'\nf') > 0 then 'f' else '' end
      || case when strpos(following, E'\nw') > 0 then 'w' else '' end || case when strpos(following, E'\nx') > 0 then 'x' else '' end), (position >> 8))
  where following is not null;
drop index concurrently if exists {feed_item_rows_before lacking feed_item_rows_before_by_kinds}_by_kinds;
create index concurrently {feed_item_rows_before lacking feed_item_rows_before_by_kinds}_by_kinds
  on {feed_item_rows_before lacking feed_item_rows_before_by_kinds} (operator_id,
    (case when strpos(following, E'\na') > 0 then 'a' else '' end || case when strpos(following, E'\nf') > 0 then 'f' else '' end
      || case when strpos(following, E'\nw') > 0 then 'w' else '' end || case when strpos(following, E'\nx') > 0 then 'x' else '' end), (position >> 8))
  where following is not null;
alter index feed_item_rows_before_by_kinds attach partition {feed_item_rows_before lacking feed_item_rows_before_by_kinds}_by_kinds;
alter index feed_item_rows_by_kinds attach partition feed_item_rows_before_by_kinds;
drop index concurrently if exists {feed_item_rows lacking feed_item_rows_by_kinds}_by_kinds;
create index concurrently {feed_item_rows lacking feed_item_rows_by_kinds}_by_kinds
  on {feed_item_rows lacking feed_item_rows_by_kinds} (operator_id,
    (case when strpos(following, E'\na') > 0 then 'a' else '' end || case when strpos(following, E'\nf') > 0 then 'f' else '' end
      || case when strpos(following, E'\nw') > 0 then 'w' else '' end || case when strpos(following, E'\nx') > 0 then 'x' else '' end), (position >> 8))
  where following is not null;
alter index feed_item_rows_by_kinds attach partition {feed_item_rows lacking feed_item_rows_by_kinds}_by_kinds;

-- How far an item may be behind the one whose row has it; src/db/feed-facts.ts keeps to it.
create or replace function feed_row_reach() returns integer language sql immutable parallel safe
as $$ select 32 $$;

-- An operator's items after a position up to another; a caller that needs an order sorts them.
-- Unlike the view feed_items it finds the items inside rows by position, too. PostgreSQL inlines
-- it, so that conditions on its columns reach the tables; arguments must be plain values for that.
-- Each part is in the order of its primary key, because a plan that is made while the tables are
-- small would take any index that begins with the operator.
create or replace function items_between(p_operator_id text, p_after bigint, p_through bigint)
returns setof feed_items language sql stable parallel safe as $$
  (select item.operator_id, item.position, item.type, item.item_id, item.occurred_at,
    item.external_user_id, item.position_id, item.order_id, item.money, item.detail
  from leading_items item
  where item.operator_id = p_operator_id and item.position > p_after and item.position <= p_through
  order by item.position)
  union all
  (select item.operator_id, item.position, item.type, item.item_id, item.occurred_at,
    item.external_user_id, item.position_id, item.order_id, item.money, item.detail
  from following_items item
  where item.operator_id = p_operator_id and item.head > greatest(p_after - feed_row_reach(), 0)
    and item.head <= p_through and item.position > p_after and item.position <= p_through
  order by item.head)
  union all
  (select item.operator_id, item.position, item.type, item.item_id, item.occurred_at,
    item.external_user_id, item.position_id, item.order_id, item.money, item.detail
  from posted_items item
  where item.operator_id = p_operator_id and item.position > p_after and item.position <= p_through
  order by item.position)
$$;

-- All items after a position.
create or replace function items_after(p_operator_id text, p_after bigint)
returns setof feed_items language sql stable parallel safe as $$
  select * from items_between(p_operator_id, p_after, 9223372036854775807)
$$;

-- Exits among the items after a position up to another. Only rows that have one are taken apart.
create or replace function exits_between(p_operator_id text, p_after bigint, p_through bigint)
returns table ("position" bigint, item_id text, detail json)
language sql stable parallel safe as $$
  select item.position, item.item_id, item.detail
  from feed_item_rows item
  where item.operator_id = p_operator_id and item.position > p_after and item.position <= p_through
    and item.type = 'position.exited'
  union all
  select item.position + one.step, split_part(one.line, E'\t', 2),
    split_part(one.line, E'\t', 4)::json
  from feed_item_rows item cross join lateral
    string_to_table(substr(item.following, 2), E'\n') with ordinality one(line, step)
  where item.operator_id = p_operator_id and item.position > p_after - feed_row_reach()
    and item.position <= p_through and strpos(item.following, '"venueAgrees"') > 0
    and left(one.line, 1) = 'x' and item.position + one.step > p_after
    and item.position + one.step <= p_through
$$;

-- The items between two positions in their order, block by block, so that nothing is sorted as a
-- whole however many there are. The loop keeps the order; a reader that sorts again pays for it.
create or replace function items_in_order(p_operator_id text, p_after bigint, p_through bigint)
returns setof feed_items language sql stable parallel safe as $$
  select block.*
  from generate_series(p_after, p_through - 1, 1000) before
    cross join lateral (
      select * from items_between(p_operator_id, before, least(before + 1000, p_through)) item
      order by item.position) block
$$;

-- One item by where it is: its position, and the position of the item whose row it is in (null for
-- an entry). PostgreSQL inlines it.
create or replace function item_at(p_operator_id text, p_place bigint, p_head bigint)
returns setof feed_items language sql stable parallel safe as $$
  select item.operator_id, item.position, item.type, item.item_id, item.occurred_at,
    item.external_user_id, item.position_id, item.order_id, item.money, item.detail
  from leading_items item
  where item.operator_id = p_operator_id and item.position = p_place and p_head = p_place
  union all
  select item.operator_id, item.position, item.type, item.item_id, item.occurred_at,
    item.external_user_id, item.position_id, item.order_id, item.money, item.detail
  from following_items item
  where item.operator_id = p_operator_id and item.head = p_head and item.position = p_place
    and p_head < p_place
  union all
  select item.operator_id, item.position, item.type, item.item_id, item.occurred_at,
    item.external_user_id, item.position_id, item.order_id, item.money, item.detail
  from posted_items item
  where item.operator_id = p_operator_id and item.position = p_place and p_head is null
$$;

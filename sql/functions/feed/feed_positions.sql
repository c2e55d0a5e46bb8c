-- The letter of a type of items that may be inside a row (the reverse of following_type); null for
-- one that never is.
create or replace function following_kind(p_type text)
returns text language sql immutable parallel safe as $$
  select case p_type when 'fee.assessed' then 'a' when 'order.filled' then 'f'
    when 'webhook.emitted' then 'w' when 'position.exited' then 'x' end
$$;

-- The letters of the types of the items that follow in a row, each once. PostgreSQL inlines it, and
-- the index feed_item_rows_by_kinds has the same expression.
create or replace function following_kinds(p_following text)
returns text language sql immutable parallel safe as $$
  select case when strpos(p_following, E'\na') > 0 then 'a' else '' end
    || case when strpos(p_following, E'\nf') > 0 then 'f' else '' end
    || case when strpos(p_following, E'\nw') > 0 then 'w' else '' end
    || case when strpos(p_following, E'\nx') > 0 then 'x' else '' end
$$;

-- Which kinds of rows an operator has with an item of a type that follows: a few, each found by one
-- look-up.
create or replace function following_kinds_of(p_operator_id text, p_type text)
returns setof text language sql stable parallel safe as $$
  with recursive known(kinds) as (
    (select following_kinds(item.following) from feed_item_rows item
      where item.operator_id = p_operator_id and item.following is not null
      order by following_kinds(item.following) limit 1)
    union all
    select (select following_kinds(item.following) from feed_item_rows item
      where item.operator_id = p_operator_id and item.following is not null
        and following_kinds(item.following) > known.kinds
      order by following_kinds(item.following) limit 1)
    from known where known.kinds is not null
  )
  select known.kinds from known where strpos(known.kinds, following_kind(p_type)) > 0
$$;

-- The items in a row of the feed: 0 for the one whose row it is, and how far behind it the others
-- are. Those of one type, or all of them.
create or replace function places_in_row(p_type text, p_row_type text, p_following text)
returns setof integer language sql immutable parallel safe as $$
  select 0 where p_type is null or p_row_type = p_type
  union all
  select one.step::integer
  from string_to_table(substr(p_following, 2), E'\n') with ordinality one(line, step)
  where one.line <> '-' and (p_type is null or left(one.line, 1) = following_kind(p_type))
$$;

-- Positions of an operator's items after a position, in order, each with the
-- position of the item whose row it is in (null for an entry): those of one type, of one customer,
-- or of both. The indexes hold blocks of 256 positions, which are sorted as they are read. It reads
-- with the owner's rights: the policy of the tenants' role keeps a condition on a block out of an
-- index, so that a page would read everything before it. It returns numbers only; the caller reads
-- the items themselves under the policy.
create or replace function feed_positions(p_operator_id text, p_type text, p_external_user_id text,
  p_after bigint, p_limit integer)
returns table (place bigint, head bigint)
language plpgsql stable parallel safe security definer
-- The search path is fixed, because the function runs with the owner's rights. In the order of an
-- index and block by block, so that a page costs the same at any depth: an incremental sort ends
-- with the page, a sort reads everything behind the cursor.
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  -- an item after p_after may be in a row before it, and rows of one command overlap
  v_after constant bigint := p_after - feed_row_reach();
  v_rows constant integer := p_limit + 2 * feed_row_reach();
begin
  if not sees_operator(p_operator_id) then
    return;
  end if;
  if p_external_user_id is null then
    return query select found.place, found.head from (
      (select item.position + places as place, item.position as head
      from (
        (select held.position, held.type, held.following from feed_item_rows held
          where held.operator_id = p_operator_id and held.type = p_type
            and held.position >> 8 >= v_after >> 8 and held.position > v_after
          order by held.position >> 8, held.position limit v_rows)
        union all
        (select of_kinds.* from following_kinds_of(p_operator_id, p_type) kinds cross join lateral (
          select held.position, held.type, held.following from feed_item_rows held
          where held.operator_id = p_operator_id and following_kinds(held.following) = kinds
            and held.following is not null
            and held.type <> p_type
            and held.position >> 8 >= v_after >> 8 and held.position > v_after
          order by held.position >> 8, held.position limit v_rows) of_kinds)) item
        cross join lateral places_in_row(p_type, item.type, item.following) places)
      union all
      (select entry.position, null from ledger_entries entry
        where entry.operator_id = p_operator_id and entry.position > p_after
          and p_type = 'ledger.posted'
        order by entry.position limit p_limit)) found
      where found.place > p_after order by found.place limit p_limit;
  else
    return query select found.place, found.head from (
      (select item.position + places as place, item.position as head
      from (select held.position, held.type, held.following
        from feed_item_rows held
        where held.operator_id = p_operator_id and held.external_user_id = p_external_user_id
          and held.position >> 8 >= v_after >> 8 and held.position > v_after
          and (p_type is null or held.type = p_type
            or strpos(held.following, E'\n' || following_kind(p_type)) > 0)
        order by held.position >> 8, held.position limit v_rows) item
        cross join lateral places_in_row(p_type, item.type, item.following) places)
      union all
      (select entry.position, null from ledger_entries entry
        where entry.operator_id = p_operator_id and entry.external_user_id = p_external_user_id
          and entry.position >> 8 >= p_after >> 8 and entry.position > p_after
          and (p_type is null or p_type = 'ledger.posted')
        order by entry.position >> 8, entry.position limit p_limit)) found
      where found.place > p_after order by found.place limit p_limit;
  end if;
end $$;

-- The same from the end of the feed backwards: positions of the last p_limit items, last first.
create or replace function last_feed_positions(p_operator_id text, p_type text,
  p_external_user_id text, p_limit integer)
returns setof bigint language plpgsql stable parallel safe security definer
-- As in feed_positions.
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  v_rows constant integer := p_limit + feed_row_reach();
begin
  if not sees_operator(p_operator_id) then
    return;
  end if;
  return query select found.place from (
    (select item.position + places as place from (
      (select held.position, held.type, held.following from feed_item_rows held
        where p_external_user_id is null and held.operator_id = p_operator_id
          and held.type = p_type
        order by held.position >> 8 desc, held.position desc limit v_rows)
      union all
      (select of_kinds.* from following_kinds_of(p_operator_id, p_type) kinds cross join lateral (
        select held.position, held.type, held.following from feed_item_rows held
        where p_external_user_id is null and held.operator_id = p_operator_id
          and following_kinds(held.following) = kinds
            and held.following is not null and held.type <> p_type
        order by held.position >> 8 desc, held.position desc limit v_rows) of_kinds)
      union all
      (select held.position, held.type, held.following from feed_item_rows held
        where held.operator_id = p_operator_id and held.external_user_id = p_external_user_id
          and (p_type is null or held.type = p_type
            or strpos(held.following, E'\n' || following_kind(p_type)) > 0)
        order by held.position >> 8 desc, held.position desc limit v_rows)) item
      cross join lateral places_in_row(p_type, item.type, item.following) places)
    union all
    (select entry.position from ledger_entries entry
      where p_external_user_id is null and entry.operator_id = p_operator_id
        and p_type = 'ledger.posted'
      order by entry.position desc limit p_limit)
    union all
    (select entry.position from ledger_entries entry
      where entry.operator_id = p_operator_id and entry.external_user_id = p_external_user_id
        and (p_type is null or p_type = 'ledger.posted')
      order by entry.position >> 8 desc, entry.position desc limit p_limit)) found
    order by found.place desc limit p_limit;
end $$;

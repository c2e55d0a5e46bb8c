-- Rows of an operator's journal that have items after a position of the feed, in their order: all
-- of them, those of some kinds, or those of a customer. The first may begin before the position. A
-- page costs the same at any depth, and rare kinds cost as much as frequent ones, because each is
-- read in the order of its own index. It reads with the owner's rights: the policy of the tenants'
-- role would keep the condition on a kind out of the index.
create or replace function journal_page(p_operator_id text, p_after bigint, p_kinds text[],
  p_external_user_id text, p_limit integer)
returns setof journal language plpgsql stable security definer
-- The search path is fixed, because the function runs with the owner's rights. In the order of an
-- index: a bitmap scan would first collect everything after the position.
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
declare
  v_kinds journal_kind[] := p_kinds::journal_kind[];
  -- where the row begins that has the next position, or the next position itself at the end
  v_from bigint := coalesce((
    select case when head.sequence + head.items > p_after + 1 then head.sequence end
    from journal head
    where head.operator_id = p_operator_id and head.sequence <= p_after + 1
    order by head.sequence desc limit 1), p_after + 1);
begin
  if not sees_operator(p_operator_id) then
    return;
  end if;
  if p_external_user_id is not null then
    return query select * from journal row
      where row.operator_id = p_operator_id and row.external_user_id = p_external_user_id
        and row.sequence >= v_from and (v_kinds is null or row.kind = any (v_kinds))
      order by row.sequence limit p_limit;
  elsif v_kinds is not null then
    return query select found.* from unnest(v_kinds) wanted(kind) cross join lateral (
        select * from journal row
        where row.operator_id = p_operator_id and row.kind = wanted.kind
          and row.sequence >= v_from
        order by row.sequence limit p_limit) found
      order by found.sequence limit p_limit;
  else
    return query select * from journal row
      where row.operator_id = p_operator_id and row.sequence >= v_from
      order by row.sequence limit p_limit;
  end if;
end $$;

-- The same backwards: rows that begin before a position, the newest first.
create or replace function journal_before(p_operator_id text, p_before bigint, p_kinds text[],
  p_external_user_id text, p_limit integer)
returns setof journal language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
declare
  v_kinds journal_kind[] := p_kinds::journal_kind[];
begin
  if not sees_operator(p_operator_id) then
    return;
  end if;
  if p_external_user_id is not null then
    return query select * from journal row
      where row.operator_id = p_operator_id and row.external_user_id = p_external_user_id
        and row.sequence < p_before and (v_kinds is null or row.kind = any (v_kinds))
      order by row.sequence desc limit p_limit;
  elsif v_kinds is not null then
    return query select found.* from unnest(v_kinds) wanted(kind) cross join lateral (
        select * from journal row
        where row.operator_id = p_operator_id and row.kind = wanted.kind
          and row.sequence < p_before
        order by row.sequence desc limit p_limit) found
      order by found.sequence desc limit p_limit;
  else
    return query select * from journal row
      where row.operator_id = p_operator_id and row.sequence < p_before
      order by row.sequence desc limit p_limit;
  end if;
end $$;

-- Rows that may have an item with these digits: as their own, as those of their order, or, for a
-- second fee, as the number after their own.
create or replace function journal_of_digits(p_operator_id text, p_digits text, p_before text)
returns setof journal language sql stable as $$
  select * from journal row
  where row.digits in (p_digits::uuid, p_before::uuid) and row.operator_id = p_operator_id
  union all
  select * from journal row
  where row.order_id = 'ord_' || p_digits and row.kind = 'order_executed'
    and row.operator_id = p_operator_id
$$;

-- Finds rows of the journal by their time, by their position in the feed and by the digits of
-- their ids.

-- When the item at a position was recorded, or the last one before it if it is missing.
create or replace function recorded_at_position(p_operator_id text, p_position bigint)
returns timestamptz language plpgsql stable parallel safe as $$
begin
  return (
    select row.recorded_at from journal row
    where row.operator_id = p_operator_id and row.sequence <= p_position
    order by row.sequence desc limit 1);
end $$;

-- The last position of an operator's feed that was recorded before a moment, or 0; it ends a row.
-- Times rise with positions, because append_to_journal keeps them from going back. So this is a
-- binary search of about thirty look-ups and needs no index on time. A missing row is skipped. It
-- reads with the owner's rights and returns a position only, because on Citus the server of the
-- rows does not have the setting that names the caller's operator.
create or replace function feed_position_at(p_operator_id text, p_at timestamptz)
returns bigint language plpgsql stable parallel safe security definer
-- The search path is fixed, because the function runs with the owner's rights. Each step is one
-- look-up in the order of the primary key.
set search_path = public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  v_low bigint := 0;
  v_high bigint;
  v_middle bigint;
  v_seen timestamptz;
begin
  if not sees_operator(p_operator_id) then
    return 0;
  end if;
  select ledger.sequence into v_high from operator_ledgers ledger
    where ledger.operator_id = p_operator_id;
  if v_high is null or p_at = '-infinity' then
    return 0;
  end if;
  if p_at = 'infinity' then
    return v_high;
  end if;
  -- everything up to low is before p_at, everything after high is not
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2 + 1;
    v_seen := recorded_at_position(p_operator_id, v_middle);
    if v_seen is null or v_seen >= p_at then
      v_high := v_middle - 1;
    else
      v_low := v_middle;
    end if;
  end loop;
  return v_low;
end $$;

-- Where the rows of an operator's journal begin that have items after a position of the feed, in
-- their order, and when they were recorded: those of some kinds, or those of a customer, and of
-- settlements those with an outcome; at most p_limit. The first may begin before the position.
-- Backwards it is the rows that begin before the position, the newest first, all of them if no
-- filter is given. A page costs the same at any depth, and rare kinds cost as much as frequent
-- ones, because each is read in the order of its own index. It reads with the owner's rights,
-- because the policy of the tenants' role would keep the condition on a kind out of the index, and
-- it returns keys only: the caller reads the rows under the policy.
create or replace function journal_sequences(p_operator_id text, p_position bigint,
  p_backwards boolean, p_kinds text[], p_external_user_id text, p_outcome text, p_limit integer)
returns table (sequence bigint, recorded_at timestamptz) language plpgsql stable security definer
-- The search path is fixed, because the function runs with the owner's rights. In the order of an
-- index: a bitmap scan would first collect everything after the position.
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_kinds journal_kind[] := p_kinds::journal_kind[];
  v_from bigint := 1;
  v_through bigint := p_position - 1;
begin
  if not sees_operator(p_operator_id) then
    return;
  end if;
  if not p_backwards then
    v_through := 9223372036854775807;
    -- the beginning of the row that has the next position, or the next position itself at the end
    v_from := coalesce((
      select case when head.sequence + head.items > p_position + 1 then head.sequence end
      from journal head
      where head.operator_id = p_operator_id and head.sequence <= p_position + 1
      order by head.sequence desc limit 1), p_position + 1);
  end if;
  if p_external_user_id is not null and p_backwards then
    return query select row.sequence, row.recorded_at from journal row
      where row.operator_id = p_operator_id and row.external_user_id = p_external_user_id
        and row.sequence <= v_through and (v_kinds is null or row.kind = any (v_kinds))
        and (p_outcome is null or row.outcome::text = p_outcome)
      order by row.sequence desc limit p_limit;
  elsif p_external_user_id is not null then
    return query select row.sequence, row.recorded_at from journal row
      where row.operator_id = p_operator_id and row.external_user_id = p_external_user_id
        and row.sequence >= v_from and (v_kinds is null or row.kind = any (v_kinds))
        and (p_outcome is null or row.outcome::text = p_outcome)
      order by row.sequence limit p_limit;
  elsif p_backwards and v_kinds is not null then
    return query select found.sequence, found.recorded_at
      from unnest(v_kinds) wanted(kind)
        cross join lateral (select row.sequence, row.recorded_at from journal row
          where row.operator_id = p_operator_id and row.kind = wanted.kind
            and row.sequence <= v_through and (p_outcome is null or row.outcome::text = p_outcome)
          order by row.sequence desc limit p_limit) found
      order by found.sequence desc limit p_limit;
  elsif p_backwards then
    return query select row.sequence, row.recorded_at from journal row
      where row.operator_id = p_operator_id and row.sequence <= v_through
      order by row.sequence desc limit p_limit;
  else
    return query select found.sequence, found.recorded_at
      from unnest(v_kinds) wanted(kind) cross join lateral (
        select row.sequence, row.recorded_at from journal row
        where row.operator_id = p_operator_id and row.kind = wanted.kind
          and row.sequence >= v_from and (p_outcome is null or row.outcome::text = p_outcome)
        order by row.sequence limit p_limit) found
      order by found.sequence limit p_limit;
  end if;
end $$;

-- The rows that journal_sequences names, as the caller may see them. Forwards and without a filter
-- these are the rows of the next p_limit positions: positions have no gaps, so no search is needed.
create or replace function journal_page(p_operator_id text, p_position bigint,
  p_backwards boolean, p_kinds text[], p_external_user_id text, p_outcome text, p_limit integer)
returns setof journal language plpgsql stable
-- Each row by its key, in the partition of its month.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_sequences bigint[];
  v_times timestamptz[];
  -- the operator whose rows the caller sees, set again on the server of the rows, which may be
  -- another one
  v_named text := coalesce(current_setting('inlay.operator', true), '');
begin
  if not p_backwards and p_kinds is null and p_external_user_id is null then
    return query select row.*
      from (select set_config('inlay.operator', v_named, true) as name) told
        cross join lateral (select * from journal kept
          where told.name is not null and kept.operator_id = p_operator_id
            -- a row has at most 16 items
            and kept.sequence > p_position - 16 and kept.sequence <= p_position + p_limit
            and kept.sequence + kept.items > p_position + 1
          order by kept.sequence offset 0) row;
    return;
  end if;
  select array_agg(found.sequence order by found.n), array_agg(found.recorded_at order by found.n)
  into v_sequences, v_times
  from journal_sequences(p_operator_id, p_position, p_backwards, p_kinds, p_external_user_id,
    p_outcome, p_limit) with ordinality found(sequence, recorded_at, n);
  return query select row.*
    from (select set_config('inlay.operator', v_named, true) as name) told
      cross join lateral (select stored.*
        from unnest(v_sequences, v_times) with ordinality found(sequence, recorded_at, n)
          cross join lateral (select * from journal kept
            where told.name is not null and kept.operator_id = p_operator_id
              and kept.sequence = found.sequence and kept.recorded_at = found.recorded_at) stored
        order by found.n offset 0) row;
end $$;

-- Rows that may have an item with these digits: as their own, as those of their order, or, for a
-- second fee, as the number after their own.
create or replace function journal_of_digits(p_operator_id text, p_digits text, p_before text)
returns setof journal language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select * from journal row
  where row.digits in (p_digits::uuid, p_before::uuid) and row.operator_id = p_operator_id
  union all
  select * from journal row
  where row.order_id = 'ord_' || p_digits and row.kind = 'order_executed'
    and row.operator_id = p_operator_id;
end $$;

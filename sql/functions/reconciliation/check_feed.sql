-- `feed_gap`: the feed is dense up to the counter.
create or replace function check_feed_gap(p_operator_id text, p_base bigint)
returns setof finding language sql stable parallel safe as $$
  with measured as materialized (
    -- as many as there are positions, and of the same sum: none is missing and none is there twice
    select counter.feed_position as counter, all_items.last,
      all_items.items = all_items.last - p_base
        and all_items.places = all_items.items * (p_base + 1 + all_items.last) / 2 as dense
    from operator_counters counter
      cross join lateral (select count(*) as items, coalesce(max(item.position), p_base) as last,
          coalesce(sum(item.position), 0) as places
        from items_after(p_operator_id, p_base) item) all_items
    where counter.operator_id = p_operator_id
  )
  (select 'feed_gap', 'critical', case when stepped.position = stepped.previous
    then 'Two items are at ' || stepped.position || '.'
    else 'Items ' || stepped.previous + 1 || ' to ' || stepped.position - 1 || ' are missing.' end,
    'record', least(stepped.previous + 1, stepped.position)::text
  from (select item.position, lag(item.position, 1, p_base)
    over (order by item.position) as previous
        from items_after(p_operator_id, p_base) item
        where exists (select 1 from measured where not measured.dense)) stepped
  where stepped.position <> stepped.previous + 1 order by stepped.position limit 20)
  union all
  select 'feed_gap', 'critical', 'The counter is at ' || measured.counter
    || ', the last item at ' || measured.last || '.', 'record', measured.last::text
  from measured where measured.last <> greatest(measured.counter, p_base)
$$;

-- `entry_seal`: the first entry that does not fit its seal, and entries that have not been sealed
-- for an hour.
create or replace function check_entry_seal(p_operator_id text, p_base bigint)
returns setof finding language sql stable parallel safe as $$
  select 'entry_seal', 'critical', 'At position ' || unfit.place || ': ' || unfit.reason || '.',
    'record', coalesce(unfit.entry_id, unfit.place::text)
  from first_unfit_entry(p_operator_id, p_base) unfit
  union all
  (select 'entry_seal', 'warning', 'Entries since '
    || to_char(entry.recorded_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    || ' UTC are not sealed.', 'record', entry.entry_id::text
  from ledger_entries entry
  where entry.operator_id = p_operator_id and entry.recorded_at < now() - interval '1 hour'
    and entry.position > coalesce((select seal_row.through_position from ledger_seals seal_row
      where seal_row.operator_id = p_operator_id order by seal_row.number desc limit 1), 0)
  order by entry.position limit 1)
$$;

-- `log_behind`: items that were recorded more than an hour ago and are in no checkpoint of the log.
create or replace function check_log_behind(p_operator_id text)
returns setof finding language sql stable parallel safe as $$
  select 'log_behind', 'warning', 'The log has ' || coalesce(head.size, 0) || ' of '
    || counter.feed_position || ' items; the next one was recorded more than an hour ago.',
    'record', (coalesce(head.size, 0) + 1)::text
  from operator_counters counter
    left join feed_log_heads head on head.operator_id = counter.operator_id
  where counter.operator_id = p_operator_id and counter.feed_position > coalesce(head.size, 0)
    -- an item that is missing has no time; the counter has that of the last one
    and coalesce(recorded_at_position(p_operator_id, coalesce(head.size, 0) + 1),
      counter.recorded_at) < now() - interval '1 hour'
$$;

-- `feed_gap`: the feed is dense up to the counter, every ledger entry is one of its items, and the next items have a table.
create or replace function check_feed_gap(p_operator_id text, p_base bigint) returns setof finding language sql stable parallel safe as $$
  with measured as materialized (
    select c.feed_position as counter, x.items, x.last, e.entries, e.places, t.posted, t.posted_places
    from operator_counters c
      cross join lateral (select count(*) as items, coalesce(max(f.position), p_base) as last from feed_items f
        where f.operator_id = p_operator_id and f.position > p_base) x
      cross join lateral (select count(*) as entries, coalesce(sum(l.position), 0) as places from ledger_entries l
        where l.operator_id = p_operator_id and l.position > p_base) e
      cross join lateral (select count(*) as posted, coalesce(sum(f.position), 0) as posted_places from feed_items f
        where f.operator_id = p_operator_id and f.type = 'ledger.posted' and f.position > p_base) t
    where c.operator_id = p_operator_id
  )
  (select 'feed_gap', 'critical', 'Items ' || g.previous + 1 || ' to ' || g.position - 1 || ' are missing.', 'record', (g.previous + 1)::text
  from (select f.position, lag(f.position, 1, p_base) over (order by f.position) as previous from feed_items f
        where f.operator_id = p_operator_id and f.position > p_base and exists (select 1 from measured m where m.items <> m.last - p_base)) g
  where g.position <> g.previous + 1 order by g.position limit 20)
  union all
  select 'feed_gap', 'critical', 'The counter stands at ' || m.counter || ', the last item at ' || m.last || '.', 'record', m.last::text
  from measured m where m.last <> greatest(m.counter, p_base)
  union all
  select 'feed_gap', 'warning', 'No table was made for the positions that are recorded now; they go to the default table.', 'record', m.counter::text
  from measured m where exists (select 1 from feed_items_rest r where r.operator_id = p_operator_id and r.position = m.counter)
  union all
  (select 'feed_gap', 'critical', case when f.position is null then 'A ledger entry is no item of the feed.' else 'An item of the feed is no ledger entry.' end,
    'record', coalesce(l.entry_id::text, f.item_id)
  from (select position, entry_id from ledger_entries where operator_id = p_operator_id and position > p_base) l
    full join (select position, item_id from feed_items where operator_id = p_operator_id and type = 'ledger.posted' and position > p_base) f
      on f.position = l.position and f.item_id = l.entry_id
  where exists (select 1 from measured m where m.entries <> m.posted or m.places <> m.posted_places) and (f.position is null or l.position is null)
  order by 5 limit 20)
$$;

-- `entry_seal`: the first entry that does not fit its seal, and entries that nobody has sealed for an hour.
create or replace function check_entry_seal(p_operator_id text, p_base bigint) returns setof finding language sql stable parallel safe as $$
  select 'entry_seal', 'critical', 'At position ' || u.place || ': ' || u.reason || '.', 'record', coalesce(u.entry_id, u.place::text)
  from first_unfit_entry(p_operator_id, p_base) u
  union all
  (select 'entry_seal', 'warning', 'Entries since ' || to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC are not sealed.', 'record', e.entry_id::text
  from ledger_entries e
  where e.operator_id = p_operator_id and e.recorded_at < now() - interval '1 hour'
    and e.position > coalesce((select k.through_position from ledger_seals k where k.operator_id = p_operator_id order by k.number desc limit 1), 0)
  order by e.position limit 1)
$$;

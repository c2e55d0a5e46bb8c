-- Counts requests against a subject and, where it names one, a tenant. A group is
--   { "subject", "limit", "count", "tenant" or null, "ceiling" or null }
-- and answers how many were counted before it in this window, how many the subject granted and how many of those the tenant did.
-- The window is the wall-clock minute of the database. Rows are locked subjects first, tenants after, each in byte order, and every
-- subject sorts before every tenant ('t:' is reserved for tenants), so batches of several processes cannot deadlock.
-- What the subject refused never reaches the tenant's counter.
create or replace function count_requests(p_groups jsonb, p_now timestamptz default null)
returns table (group_no integer, counted_before integer, subject_granted integer, granted integer, reset_seconds integer)
language plpgsql as $$
declare
  moment constant timestamptz := coalesce(p_now, clock_timestamp());
  minute constant timestamptz := date_trunc('minute', moment, 'UTC');
  left_seconds constant integer := greatest(1, ceil(extract(epoch from minute + interval '1 minute' - moment)))::integer;
  numbers integer[]; subjects text[]; limits integer[]; counts integer[]; tenants text[]; ceilings integer[];
  befores integer[] := '{}'; firsts integer[] := '{}'; finals integer[] := '{}';
  tenant_order integer[];
  total bigint;
  i integer;
begin
  select array_agg(g.ordinality), array_agg(g.value->>'subject'), array_agg((g.value->>'limit')::integer),
         array_agg((g.value->>'count')::integer), array_agg(g.value->>'tenant'), array_agg((g.value->>'ceiling')::integer)
    into numbers, subjects, limits, counts, tenants, ceilings
    from (select e.value, e.ordinality::integer from jsonb_array_elements(p_groups) with ordinality e
           order by (e.value->>'subject') collate "C") g;
  for i in 1 .. coalesce(cardinality(numbers), 0) loop
    insert into rate_counters as c (subject, window_start, count) values (subjects[i], minute, counts[i])
      on conflict (subject, window_start) do update set count = c.count + excluded.count
      returning c.count into total;
    befores[i] := least(total - counts[i], 2147483647);
    firsts[i] := least(counts[i], greatest(0, limits[i] - befores[i]));
    finals[i] := firsts[i];
  end loop;
  select array_agg(k.i order by tenants[k.i] collate "C", k.i) into tenant_order
    from generate_subscripts(numbers, 1) k(i) where tenants[k.i] is not null and firsts[k.i] > 0;
  for i in select unnest(tenant_order) loop
    insert into rate_counters as c (subject, window_start, count) values ('t:' || tenants[i], minute, firsts[i])
      on conflict (subject, window_start) do update set count = c.count + excluded.count
      returning c.count into total;
    finals[i] := greatest(0, least(firsts[i], ceilings[i] - (total - firsts[i])));
  end loop;
  return query select u.n, u.b, u.f, u.g, left_seconds from unnest(numbers, befores, firsts, finals) u(n, b, f, g);
end $$;

-- Who is calling, for whom, whether they may, and whether it still fits in this minute: specification "Authentication" 1, 4-7, 9
-- and "Limits", for a batch of requests in one round trip.

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

-- A group is { "hash": hex, "acting": operator id or null, "scopes": [needed], "count" }. One row answers each group, in any order:
-- the outcome, the operator acted for (once a group, as text), and the ordinals that the requests of the group take.
create or replace function admit_requests(p_groups jsonb, p_now timestamptz default null)
returns table (
  group_no integer, outcome text, key_id text, holder_id text, scopes text[], rate_limit integer, reset_seconds integer,
  counted_before integer, subject_granted integer, granted integer, operator text)
language plpgsql as $$
declare
  moment constant timestamptz := coalesce(p_now, clock_timestamp());
begin
  return query
  with wanted as materialized (
    select e.ordinality::integer as n, e.value->>'hash' as hash, e.value->>'acting' as acting,
           (e.value->>'count')::integer as count,
           array(select jsonb_array_elements_text(e.value->'scopes')) as needed
      from jsonb_array_elements(p_groups) with ordinality e
  ), checked as materialized (
    select w.n, w.count, k.key_id, k.scopes, k.rate_limit, h.operator_id as holder_id, h.rate_ceiling,
           coalesce(child.operator_id, h.operator_id) as acting_id,
           case
             when k.key_id is null then 'invalid_key'
             when k.revoked_at <= moment then 'revoked_key'
             when h.status <> 'active' then 'operator_suspended'
             when w.acting is not null and w.acting <> h.operator_id and child.operator_id is null then 'operator_not_permitted'
             when child.status <> 'active' then 'operator_suspended'
             when not k.scopes @> w.needed then 'insufficient_scope'
             else 'admitted'
           end as outcome,
           coalesce(to_jsonb(child), to_jsonb(h))::text as operator
      from wanted w
      left join api_keys k on k.key_hash = decode(w.hash, 'hex')
      left join operators h on h.operator_id = k.operator_id
      left join operators child on child.operator_id = w.acting and child.parent_id = h.operator_id
  ), numbered as materialized (
    select c.*, row_number() over (order by c.n)::integer as counted_no from checked c where c.outcome = 'admitted'
  ), counted as materialized (
    select * from count_requests(
      (select coalesce(jsonb_agg(jsonb_build_object(
          'subject', 'k:' || x.key_id || ':' || x.acting_id, 'limit', x.rate_limit, 'count', x.count,
          'tenant', x.holder_id, 'ceiling', x.rate_ceiling) order by x.counted_no), '[]') from numbered x), moment)
  )
  select c.n, c.outcome, c.key_id::text, c.holder_id::text, c.scopes, c.rate_limit,
         coalesce(r.reset_seconds, greatest(1, ceil(60 - extract(second from moment)))::integer),
         coalesce(r.counted_before, least(u.count, 2147483647)::integer, 0),
         coalesce(r.subject_granted, 0), coalesce(r.granted, 0), c.operator
    from checked c
    left join numbered x on x.n = c.n
    left join counted r on r.group_no = x.counted_no
    left join rate_counters u on c.outcome in ('operator_suspended', 'operator_not_permitted', 'insufficient_scope')
      and u.subject = 'k:' || c.key_id || ':' || c.acting_id and u.window_start = date_trunc('minute', moment, 'UTC');
end $$;

-- Who is calling, for whom, whether they may, and whether it still fits in this minute:
-- specification "Authentication" 1, 4-7, 9 and "Limits", for a batch of requests in one round trip.
-- `p_groups` is an array of groups of equal requests, each
--   [hash of the key (hex), operator named by the aggregator header or null, needed scopes
-- (separated by spaces), how many, known,
--    address of the client, a scope that is enough alone or null,
--    how many to count in advance, for how many milliseconds, the holder whose ceiling counts]
-- where `known` is the version of key and operator that the caller still holds, or null. The answer
-- is an array in the same order of
--   [outcome, counted before, granted, version or null, facts or null, lease or null]
-- with a lease as [counted in advance, end, milliseconds until then],
-- preceded by the seconds until the minute rolls, and followed by the minute that was counted in
-- (epoch seconds), which a refund names, and by the milliseconds until it rolls. `undecided` is the
-- outcome if another process has leased what decides: nothing was counted, that process is asked to
-- give back what is left, and the caller asks again. Facts are null where the caller's version is
-- the present one: they are what costs most here, and a version is the rows' own places and
-- writers, so it cannot be that of another state. Arrays of JSON both ways: one value to write and
-- read, whatever the batch. The holder whose ceiling counts is the key's operator or its parent: children
-- share the parent's ceiling with their own keys too.
create or replace function admit_requests(p_groups jsonb, p_now timestamptz default null)
returns text
language plpgsql
-- One plan for all calls: planned for each call by its arrays, it cost twice as much as it took to
-- run.
set plan_cache_mode = force_generic_plan as $$
declare
  v_moment constant timestamptz := coalesce(p_now, clock_timestamp());
  v_minute constant timestamptz := date_trunc('minute', v_moment, 'UTC');
  v_left_seconds constant integer := greatest(1,
    ceil(extract(epoch from v_minute + interval '1 minute' - v_moment)))::integer;
  v_answer text;
  v_known json;
  v_left_ms constant integer :=
    ceil(extract(epoch from v_minute + interval '1 minute' - v_moment) * 1000)::integer;
  v_awaited text[];
begin
  -- counts are no facts: they never wait for a standby, and nothing that waits holds their rows
  perform set_config('synchronous_commit', 'off', true);
  if jsonb_array_length(p_groups) = 1 then
    v_known := json_build_array(admit_known_key(p_groups -> 0, v_moment, v_minute));
  else
    v_known := admit_known_keys(p_groups, v_moment, v_minute);
  end if;
  if v_known ->> 0 is not null then
    return json_build_array(v_left_seconds, v_known, extract(epoch from v_minute)::bigint,
      v_left_ms)::text;
  end if;

  with wanted as materialized (
    select element.n::integer as n, element.request->>0 as hash, element.request->>1 as acting,
      element.request->>2 as needed, (element.request->>3)::integer as count,
      element.request->>4 as known,
           element.request->>5 as address, element.request->>6 as sufficient
      from jsonb_array_elements(p_groups) with ordinality element(request, n)
  ), checked as materialized (
    select wanted.n, wanted.count, wanted.known, api_key.key_id, api_key.scopes, api_key.rate_limit,
      coalesce(parent.operator_id, operator.operator_id) as holder_id,
           coalesce(parent.rate_ceiling, operator.rate_ceiling) as rate_ceiling,
           coalesce(child.operator_id, operator.operator_id) as acting_id,
           key_version(api_key.xmin, api_key.ctid, operator.xmin, operator.ctid, child.xmin,
             child.ctid) as version,
           key_outcome(api_key, operator, child, wanted.acting, wanted.needed, wanted.sufficient,
             wanted.address, v_moment) as outcome
      from wanted
      left join api_keys api_key on api_key.key_hash = decode(wanted.hash, 'hex')
      left join operators operator on operator.operator_id = api_key.operator_id
      left join operators parent on parent.operator_id = operator.parent_id
      left join operators child on child.operator_id = wanted.acting
        and child.parent_id = operator.operator_id
        and child.mode = operator.mode and operator.parent_id is null
  ), arrays as (
    select array_agg(admitted.n) as numbers,
      array_agg('k:' || admitted.key_id || ':' || admitted.acting_id) as subjects,
      array_agg(admitted.rate_limit) as limits,
           array_agg(admitted.count) as counts, array_agg(admitted.holder_id::text) as tenants,
             array_agg(admitted.rate_ceiling) as ceilings
      from (select * from checked where checked.outcome = 'admitted' order by checked.n) admitted
  ), counted as (
    select arrays.numbers[granted.group_no] as n, granted.counted_before, granted.granted
      from arrays, count_budgets(arrays.subjects, arrays.limits, arrays.counts, arrays.tenants,
        arrays.ceilings, v_moment) granted
  )
  select json_build_array(v_left_seconds, json_agg(json_build_array(
           case when counted.n is not null and counted.granted is null
             or used.leased then 'undecided' else checked.outcome end,
           coalesce(counted.counted_before, least(coalesce(used.count, 0), 2147483647)::integer),
           coalesce(counted.granted, 0),
           case when checked.version is distinct from checked.known then checked.version end,
           case when checked.version is distinct from checked.known and checked.key_id is not null
             then json_build_object(
             'keyId', checked.key_id, 'holderId', checked.holder_id, 'scopes', checked.scopes,
               'rateLimit', checked.rate_limit,
             'operator', (select to_jsonb(operator)::text from operators operator
               where operator.operator_id = checked.acting_id)) end,
           null) order by checked.n),
           extract(epoch from v_minute)::bigint, v_left_ms)::text,
    array_agg(used.subject) filter (where used.leased)
    into v_answer, v_awaited
    from checked
    left join counted on counted.n = checked.n
    left join lateral (
      select counter.count, counter.subject, is_leased(counter.leased_until, v_moment) as leased
        from rate_counters counter
       where checked.outcome in ('operator_suspended', 'operator_not_permitted',
         'insufficient_scope')
         and counter.subject = 'k:' || checked.key_id || ':' || checked.acting_id
           and counter.window_start = v_minute limit 1) used on true;
  perform pg_notify('budget_leases', awaited.subject) from unnest(v_awaited) awaited(subject);
  return v_answer;
end $$;

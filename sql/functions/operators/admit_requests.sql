-- Who is calling, for whom, whether they may, and whether it still fits in this minute: specification "Authentication" 1, 4-7, 9
-- and "Limits", for a batch of requests in one round trip.
-- `p_groups` is an array of groups of equal requests, each
--   [hash of the key (hex), operator named by the aggregator header or null, needed scopes (separated by spaces), how many, known,
--    address of the client, a scope that is enough alone or null]
-- where `known` is the version of key and operator that the caller still holds, or null. The answer is an array in the same order of
--   [outcome, counted before, granted, version or null, facts or null]
-- preceded by the seconds until the minute rolls, and followed by the minute that was counted in (epoch seconds), which a refund names.
-- Facts are null where the caller's version is the present one: they are what costs most here, and a version is the rows' own places
-- and writers, so it cannot be that of another state. Arrays of JSON both ways: one value to write and read, whatever the batch.
-- The holder whose ceiling counts is the key's operator or its parent: children share the parent's ceiling with their own keys too.
create or replace function admit_requests(p_groups jsonb, p_now timestamptz default null) returns text
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  moment constant timestamptz := coalesce(p_now, clock_timestamp());
  minute constant timestamptz := date_trunc('minute', moment, 'UTC');
  left_seconds constant integer := greatest(1, ceil(extract(epoch from minute + interval '1 minute' - moment)))::integer;
  answer text;
begin
  with wanted as materialized (
    select e.n::integer as n, e.g->>0 as hash, e.g->>1 as acting, e.g->>2 as needed, (e.g->>3)::integer as count, e.g->>4 as known,
           e.g->>5 as address, e.g->>6 as sufficient
      from jsonb_array_elements(p_groups) with ordinality e(g, n)
  ), checked as materialized (
    select w.n, w.count, w.known, k.key_id, k.scopes, k.rate_limit, coalesce(parent.operator_id, h.operator_id) as holder_id,
           coalesce(parent.rate_ceiling, h.rate_ceiling) as rate_ceiling,
           coalesce(child.operator_id, h.operator_id) as acting_id,
           concat_ws('-', k.xmin, k.ctid, h.xmin, h.ctid, child.xmin, child.ctid) as version,
           case
             when k.key_id is null then 'invalid_key'
             when k.revoked_at <= moment then 'revoked_key'
             when k.expires_at <= moment then 'expired_key'
             when k.allowed_addresses is not null
              and (w.address is null or not w.address::inet <<= any (k.allowed_addresses)) then 'address_not_allowed'
             when h.status <> 'active' then 'operator_suspended'
             when w.acting is not null and w.acting <> h.operator_id and child.operator_id is null then 'operator_not_permitted'
             when child.status <> 'active' then 'operator_suspended'
             when not k.scopes @> string_to_array(w.needed, ' ')
              and (w.sufficient is null or not w.sufficient = any (k.scopes)) then 'insufficient_scope'
             else 'admitted'
           end as outcome
      from wanted w
      left join api_keys k on k.key_hash = decode(w.hash, 'hex')
      left join operators h on h.operator_id = k.operator_id
      left join operators parent on parent.operator_id = h.parent_id
      left join operators child on child.operator_id = w.acting and child.parent_id = h.operator_id
        and child.mode = h.mode and h.parent_id is null
  ), arrays as (
    select array_agg(x.n) as numbers, array_agg('k:' || x.key_id || ':' || x.acting_id) as subjects, array_agg(x.rate_limit) as limits,
           array_agg(x.count) as counts, array_agg(x.holder_id::text) as tenants, array_agg(x.rate_ceiling) as ceilings
      from (select * from checked c where c.outcome = 'admitted' order by c.n) x
  ), counted as (
    select a.numbers[r.group_no] as n, r.counted_before, r.granted
      from arrays a, count_requests(a.subjects, a.limits, a.counts, a.tenants, a.ceilings, moment) r
  )
  select json_build_array(left_seconds, json_agg(json_build_array(
           c.outcome,
           coalesce(r.counted_before, least(coalesce(u.count, 0), 2147483647)::integer),
           coalesce(r.granted, 0),
           case when c.version is distinct from c.known then c.version end,
           case when c.version is distinct from c.known and c.key_id is not null then json_build_object(
             'keyId', c.key_id, 'holderId', c.holder_id, 'scopes', c.scopes, 'rateLimit', c.rate_limit,
             'operator', (select to_jsonb(o)::text from operators o where o.operator_id = c.acting_id)) end) order by c.n),
           extract(epoch from minute)::bigint)::text
    into answer
    from checked c
    left join counted r on r.n = c.n
    left join lateral (
      select x.count from rate_counters x
       where c.outcome in ('operator_suspended', 'operator_not_permitted', 'insufficient_scope')
         and x.subject = 'k:' || c.key_id || ':' || c.acting_id and x.window_start = minute limit 1) u on true;
  return answer;
end $$;

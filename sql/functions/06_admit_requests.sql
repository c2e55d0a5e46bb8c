-- Who is calling, for whom, whether they may, and whether it still fits in this minute: specification "Authentication" 1, 4-7, 9
-- and "Limits", for a batch of requests in one round trip.
-- The arrays run side by side, one place a group of equal requests: hash of the key (hex), operator named by the aggregator header or
-- null, needed scopes (separated by spaces), how many requests it holds, and the version of the operator that the caller still holds
-- or null. A row answers each group, in any order. `operator` is null where the caller's version is the present one: the text is what
-- costs most here, and a version is the row's own place and writer, so it cannot be that of another state.
create or replace function admit_requests(
  p_hashes text[], p_acting text[], p_scopes text[], p_counts integer[], p_known text[], p_now timestamptz default null)
returns table (
  group_no integer, outcome text, key_id text, holder_id text, scopes text[], rate_limit integer, reset_seconds integer,
  counted_before integer, subject_granted integer, granted integer, version text, operator text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  moment constant timestamptz := coalesce(p_now, clock_timestamp());
  minute constant timestamptz := date_trunc('minute', moment, 'UTC');
begin
  return query
  with checked as materialized (
    select w.n::integer as n, w.count, k.key_id, k.scopes, k.rate_limit, h.operator_id as holder_id, h.rate_ceiling,
           coalesce(child.operator_id, h.operator_id) as acting_id, w.known,
           case when child.operator_id is null then h.operator_id || h.xmin::text || h.ctid::text
                else child.operator_id || child.xmin::text || child.ctid::text end as version,
           case
             when k.key_id is null then 'invalid_key'
             when k.revoked_at <= moment then 'revoked_key'
             when h.status <> 'active' then 'operator_suspended'
             when w.acting is not null and w.acting <> h.operator_id and child.operator_id is null then 'operator_not_permitted'
             when child.status <> 'active' then 'operator_suspended'
             when not k.scopes @> string_to_array(w.needed, ' ') then 'insufficient_scope'
             else 'admitted'
           end as outcome
      from unnest(p_hashes, p_acting, p_scopes, p_counts, p_known) with ordinality w(hash, acting, needed, count, known, n)
      left join api_keys k on k.key_hash = decode(w.hash, 'hex')
      left join operators h on h.operator_id = k.operator_id
      left join operators child on child.operator_id = w.acting and child.parent_id = h.operator_id
  ), numbered as materialized (
    select c.n, row_number() over (order by c.n)::integer as counted_no, 'k:' || c.key_id || ':' || c.acting_id as subject,
           c.rate_limit, c.count, c.holder_id::text as holder_id, c.rate_ceiling
      from checked c where c.outcome = 'admitted'
  ), arrays as (
    select array_agg(x.subject order by x.counted_no) as subjects, array_agg(x.rate_limit order by x.counted_no) as limits,
           array_agg(x.count order by x.counted_no) as counts, array_agg(x.holder_id order by x.counted_no) as tenants,
           array_agg(x.rate_ceiling order by x.counted_no) as ceilings
      from numbered x
  ), counted as materialized (
    select r.* from arrays a, count_requests(a.subjects, a.limits, a.counts, a.tenants, a.ceilings, moment) r
  )
  select c.n, c.outcome, c.key_id::text, c.holder_id::text, c.scopes, c.rate_limit,
         coalesce(r.reset_seconds, greatest(1, ceil(extract(epoch from minute + interval '1 minute' - moment)))::integer),
         coalesce(r.counted_before, least(coalesce(u.count, 0), 2147483647)::integer),
         coalesce(r.subject_granted, 0), coalesce(r.granted, 0), c.version,
         case when c.outcome = 'admitted' and c.version is distinct from c.known
              then (select to_jsonb(o)::text from operators o where o.operator_id = c.acting_id) end
    from checked c
    left join numbered x on x.n = c.n
    left join counted r on r.group_no = x.counted_no
    left join rate_counters u on c.outcome in ('operator_suspended', 'operator_not_permitted', 'insufficient_scope')
      and u.subject = 'k:' || c.key_id || ':' || c.acting_id and u.window_start = minute;
end $$;

-- Who is calling, for whom, whether they may, and whether it still fits in this minute: specification "Authentication" 1, 4-7, 9
-- and "Limits", for a batch of requests in one round trip.
--
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
         coalesce(r.counted_before, least(coalesce(u.count, 0), 2147483647)::integer),
         coalesce(r.subject_granted, 0), coalesce(r.granted, 0), c.operator
    from checked c
    left join numbered x on x.n = c.n
    left join counted r on r.group_no = x.counted_no
    left join rate_counters u on c.outcome in ('operator_suspended', 'operator_not_permitted', 'insufficient_scope')
      and u.subject = 'k:' || c.key_id || ':' || c.acting_id and u.window_start = date_trunc('minute', moment, 'UTC');
end $$;

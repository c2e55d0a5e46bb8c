-- Admits all groups of admit_requests at once if the caller knows each key as it is now, each may
-- make its requests, and no two groups count against the same subject. Returns an answer for each
-- group in the order of the groups, or null if the other statement must answer; nothing is counted
-- then. Locks subjects before tenants, each in byte order, as count_requests does. Three small
-- statements are started in half the time of the one for any batch. Runs under the planner settings
-- of its caller.
create or replace function admit_known_keys(
  p_groups jsonb, p_moment timestamptz, p_minute timestamptz
) returns json language plpgsql as $$
declare
  -- in the order of the subjects
  v_places integer[];
  v_subjects text[];
  v_limits integer[];
  v_wanted integer[];
  v_tenants text[];
  v_ceilings integer[];
  v_counts bigint[];
  v_different bigint;
  v_answers json;
begin
  select array_agg(found.n order by found.subject), array_agg(found.subject order by found.subject),
    array_agg(found.rate_limit order by found.subject),
    array_agg(found.wanted order by found.subject), array_agg(found.tenant order by found.subject),
    array_agg(found.rate_ceiling order by found.subject), count(distinct found.subject)
  into v_places, v_subjects, v_limits, v_wanted, v_tenants, v_ceilings, v_different
  from (
    select given.n::integer as n, (given.asked ->> 3)::integer as wanted, api_key.rate_limit,
      ('k:' || api_key.key_id || ':' || coalesce(child.operator_id, operator.operator_id))
        collate "C" as subject,
      't:' || coalesce(parent.operator_id, operator.operator_id) as tenant,
      coalesce(parent.rate_ceiling, operator.rate_ceiling) as rate_ceiling
    from jsonb_array_elements(p_groups) with ordinality given(asked, n)
      join api_keys api_key on api_key.key_hash = decode(given.asked ->> 0, 'hex')
      join operators operator on operator.operator_id = api_key.operator_id
      left join operators parent on parent.operator_id = operator.parent_id
      left join operators child on child.operator_id = given.asked ->> 1
        and child.parent_id = operator.operator_id
        and child.mode = operator.mode and operator.parent_id is null
    where key_version(api_key.xmin, api_key.ctid, operator.xmin, operator.ctid, child.xmin,
        child.ctid) = given.asked ->> 4
      and key_outcome(api_key, operator, child, given.asked ->> 1, given.asked ->> 2,
        given.asked ->> 6, given.asked ->> 5, p_moment) = 'admitted'
  ) found;
  if v_different is distinct from jsonb_array_length(p_groups)
    or cardinality(v_places) <> v_different then
    return null;
  end if;

  with subjects as (
    insert into rate_counters as counter (subject, window_start, count)
    select given.subject, p_minute, given.wanted
    from unnest(v_subjects, v_wanted) given(subject, wanted)
    on conflict (subject, window_start) do update set count = counter.count + excluded.count
    returning counter.subject, counter.count
  )
  select array_agg(subjects.count order by subjects.subject) into v_counts from subjects;

  with shares as materialized (
    select given.n, given.tenant, given.ceiling, given.count - given.wanted as before,
      least(given.wanted, greatest(0, given.allowed - given.count + given.wanted)) as passed
    from unnest(v_places, v_tenants, v_ceilings, v_counts, v_wanted, v_limits)
      given(n, tenant, ceiling, count, wanted, allowed)
  ), tenants as (
    insert into rate_counters as counter (subject, window_start, count)
    select shares.tenant, p_minute, sum(shares.passed) from shares
    where shares.passed > 0 group by shares.tenant order by shares.tenant collate "C"
    on conflict (subject, window_start) do update set count = counter.count + excluded.count
    returning counter.subject, counter.count
  )
  select json_agg(json_build_array('admitted', least(shares.before, 2147483647),
    case when shares.passed = 0 or tenants.count <= shares.ceiling then shares.passed
      -- the ceiling is passed within this batch: what comes first is granted
      else greatest(0, least(shares.passed, shares.ceiling - tenants.count + (
        select sum(later.passed) from shares later
        where later.tenant = shares.tenant and later.n >= shares.n))) end,
    null, null) order by shares.n)
  into v_answers
  from shares left join tenants on tenants.subject = shares.tenant;
  return v_answers;
end $$;

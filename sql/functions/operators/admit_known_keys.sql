-- Admits all groups of admit_requests at once if the caller knows each key as it is now, each may
-- make its requests, and no two groups count against the same subject. Returns an answer for each
-- group in the order of the groups, or null if the other statement must answer; nothing is counted
-- then. Locks subjects before tenants, each in byte order, as count_budgets does. A few small
-- statements are started in half the time of the one for any batch. Runs under the planner settings
-- of its caller.
create or replace function admit_known_keys(
  p_groups jsonb, p_moment timestamptz, p_minute timestamptz
) returns json language plpgsql as $$
declare
  v_lessors text[];
  -- in the order of the subjects
  v_places integer[];
  v_subjects text[];
  v_limits integer[];
  v_wanted integer[];
  v_blocks integer[];
  v_ends timestamptz[];
  v_tenants text[];
  v_ceilings integer[];
  v_before bigint[];
  v_excesses bigint[];
  v_different bigint;
  v_answers json;
  v_waits boolean;
begin
  -- before the keys are read, so that what is read is what a change finds leased
  if jsonb_path_exists(p_groups, '$[*][7] ? (@ > 0)') then
    select array_agg(holder.id) into v_lessors
    from (select distinct given.asked ->> 9 as id
      from jsonb_array_elements(p_groups) given(asked)
      where (given.asked ->> 7)::integer > 0) holder
    where pg_try_advisory_xact_lock_shared(budget_lease_lock(holder.id));
  end if;
  select array_agg(found.n order by found.subject), array_agg(found.subject order by found.subject),
    array_agg(found.rate_limit order by found.subject),
    array_agg(found.wanted order by found.subject), array_agg(found.block order by found.subject),
    array_agg(case when found.block > 0 then found.until end order by found.subject),
    array_agg(found.tenant order by found.subject),
    array_agg(found.rate_ceiling order by found.subject), count(distinct found.subject)
  into v_places, v_subjects, v_limits, v_wanted, v_blocks, v_ends, v_tenants, v_ceilings,
    v_different
  from (
    select given.n::integer as n, (given.asked ->> 3)::integer as wanted, api_key.rate_limit,
      ('k:' || api_key.key_id || ':' || coalesce(child.operator_id, operator.operator_id))
        collate "C" as subject,
      't:' || coalesce(parent.operator_id, operator.operator_id) as tenant,
      coalesce(parent.rate_ceiling, operator.rate_ceiling) as rate_ceiling,
      -- near the ceiling nothing is counted in advance
      case when given.asked ->> 9 = any (v_lessors)
        and (given.asked ->> 3)::integer + (given.asked ->> 7)::integer
          <= coalesce(parent.rate_ceiling, operator.rate_ceiling) - coalesce((
            select counter.count from rate_counters counter
            where counter.subject = 't:' || coalesce(parent.operator_id, operator.operator_id)
              and counter.window_start = p_minute), 0)
        then (given.asked ->> 7)::integer else 0 end as block,
      least(p_moment + (given.asked ->> 8)::integer * interval '1 millisecond',
        p_minute + interval '1 minute', api_key.revoked_at, api_key.expires_at) as until
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
    insert into rate_counters as counter (subject, window_start, count, leased, leased_until)
    select given.subject, p_minute, given.wanted + given.block, given.block, given.until
    from unnest(v_subjects, v_wanted, v_blocks, v_ends) given(subject, wanted, block, until)
    on conflict (subject, window_start) do update set count = counter.count + excluded.count,
      leased = excluded.leased, leased_until = excluded.leased_until
      where is_leased(counter.leased_until, p_moment) is not true
    returning counter.subject, counter.count
  )
  -- of what is counted in advance, what passes the limit of the subject is taken back
  select array_agg(subjects.count - given.wanted - given.block order by given.place),
    array_agg(case when subjects.count > given.allowed
      then least(given.block, subjects.count - given.allowed) else 0 end order by given.place)
  into v_before, v_excesses
  from unnest(v_subjects, v_wanted, v_blocks, v_limits) with ordinality
      given(subject, wanted, block, allowed, place)
    left join subjects on subjects.subject = given.subject;
  if 0 < any (v_excesses) then
    perform uncount_requests(p_minute, v_subjects, v_excesses, v_excesses::integer[]);
    v_blocks := (select array_agg(given.block - given.excess order by given.place)
      from unnest(v_blocks, v_excesses) with ordinality given(block, excess, place));
  end if;

  if array_position(v_before, null) is null then
    with shares as materialized (
      select given.n, given.tenant, given.ceiling, given.before, given.block, given.until,
        least(given.wanted, greatest(0, given.allowed - given.before)) as passed
      from unnest(v_places, v_tenants, v_ceilings, v_before, v_wanted, v_limits, v_blocks, v_ends)
        given(n, tenant, ceiling, before, wanted, allowed, block, until)
    ), tenants as (
      insert into rate_counters as counter (subject, window_start, count, leased, leased_until)
      select shares.tenant, p_minute, sum(shares.passed + shares.block), sum(shares.block),
        max(shares.until)
      from shares
      where shares.passed + shares.block > 0
      group by shares.tenant order by shares.tenant collate "C"
      on conflict (subject, window_start) do update set count = counter.count + excluded.count,
        leased = counter.leased + excluded.leased,
        leased_until = greatest(counter.leased_until, excluded.leased_until)
      returning counter.subject, counter.count,
        counter.leased > 0 and is_leased(counter.leased_until, p_moment) as leased
    )
    select json_agg(json_build_array('admitted', least(shares.before, 2147483647),
      case when shares.passed = 0 or tenants.count <= shares.ceiling then shares.passed
        -- the ceiling is passed within this batch: what comes first is granted
        else greatest(0, least(shares.passed, shares.ceiling - tenants.count + (
          select sum(later.passed) from shares later
          where later.tenant = shares.tenant and later.n >= shares.n))) end,
      null, null, case when shares.block > 0 then json_build_array(shares.block, shares.until,
        floor(extract(epoch from shares.until - p_moment) * 1000)::integer) end)
      order by shares.n),
      bool_or(tenants.leased and tenants.count > shares.ceiling)
    into v_answers, v_waits
    from shares left join tenants on tenants.subject = shares.tenant;
    if v_waits is not true then
      return v_answers;
    end if;
  end if;

  -- what another process has leased decides: nothing is counted by this statement
  perform uncount_requests(p_minute, array_agg(counted.subject), array_agg(counted.count::bigint),
    array_agg(counted.leased::integer))
  from (
    select given.subject, given.wanted + given.block as count, given.block as leased
    from unnest(v_subjects, v_wanted, v_blocks, v_before) given(subject, wanted, block, before)
    where given.before is not null
    union all
    select given.tenant, sum(given.block + least(given.wanted, greatest(0, given.allowed
      - given.before))), sum(given.block)
    from unnest(v_tenants, v_wanted, v_blocks, v_before, v_limits)
      given(tenant, wanted, block, before, allowed)
    where v_waits group by given.tenant
  ) counted;
  return null;
end $$;

-- Counts requests against subjects and, where they have one, tenants: specification "Limits", many
-- in one round trip. The arrays run side by side, one place a group: its subject, the subject's
-- limit, how many requests it holds, the tenant or null, and the tenant's ceiling. A row answers
-- each group: how many were counted before it in this window, how many the subject granted, and how
-- many of those the tenant did. The window is the wall-clock minute of the database. Rows are
-- locked subjects first, tenants after, each in byte order, and every subject sorts before every
-- tenant ('t:' is kept for tenants), so batches of several processes cannot deadlock. What the
-- subject refused never reaches the tenant's counter. Where another process has leased what decides
-- (docs/access.md, "Leases of a budget"), nothing is counted for the group, it is answered with
-- nulls, and that process is asked to give back what is left. Set-based: a loop of upserts cost 2.5
-- times as much at 64 groups.
create or replace function count_budgets(
  p_subjects text[], p_limits integer[], p_counts integer[], p_tenants text[], p_ceilings integer[],
  p_now timestamptz default null)
returns table (group_no integer, counted_before integer, subject_granted integer, granted integer,
  reset_seconds integer)
language plpgsql
-- One plan for all calls: planned for each call by its arrays, it cost twice as much as it took to
-- run.
set plan_cache_mode = force_generic_plan as $$
declare
  v_moment constant timestamptz := coalesce(p_now, clock_timestamp());
  v_minute constant timestamptz := date_trunc('minute', v_moment, 'UTC');
  v_left_seconds constant integer := greatest(1,
    ceil(extract(epoch from v_minute + interval '1 minute' - v_moment)))::integer;
  -- those that were counted
  v_numbers integer[];
  v_tenants text[];
  v_before bigint[];
  v_passed integer[];
  v_granted integer[];
  -- tenants of which too little is left, while some of it is leased
  v_awaited text[];
begin
  with groups as materialized (
    select given.n::integer as n, given.subject, given.allowed, given.wanted, given.tenant,
      given.ceiling,
           sum(given.wanted) over same as total, sum(given.wanted)
             over (same order by given.n) - given.wanted as earlier
      from unnest(p_subjects, p_limits, p_counts, p_tenants, p_ceilings)
           with ordinality given(subject, allowed, wanted, tenant, ceiling, n)
    window same as (partition by given.subject)
  ), subjects as (
    insert into rate_counters as counter (subject, window_start, count)
    select groups.subject, v_minute, max(groups.total)
      from groups group by groups.subject order by groups.subject collate "C"
        on conflict (subject, window_start) do update set count = counter.count + excluded.count,
          leased = case when is_leased(counter.leased_until, v_moment) then counter.leased
            else 0 end,
          leased_until = case when is_leased(counter.leased_until, v_moment)
            then counter.leased_until end
          where is_leased(counter.leased_until, v_moment) is not true
    returning counter.subject, counter.count
  ), firsts as (
    select groups.n, groups.tenant, groups.ceiling,
      subjects.count - groups.total + groups.earlier as before,
           least(groups.wanted, greatest(0,
             groups.allowed - (subjects.count - groups.total + groups.earlier)))::integer as passed
      from groups join subjects using (subject)
  ), shares as materialized (
    select firsts.*, sum(firsts.passed) over same as total, sum(firsts.passed)
      over (same order by firsts.n) - firsts.passed as earlier
      from firsts window same as (partition by firsts.tenant)
  ), tenants as (
    insert into rate_counters as counter (subject, window_start, count)
    select 't:' || shares.tenant, v_minute, max(shares.total) from shares
     where shares.tenant is not null and shares.total > 0 group by shares.tenant
       order by shares.tenant collate "C"
        on conflict (subject, window_start) do update set count = counter.count + excluded.count
    returning counter.subject, counter.count,
      counter.leased > 0 and is_leased(counter.leased_until, v_moment) as leased
  )
  select array_agg(shares.n), array_agg(shares.tenant), array_agg(shares.before),
    array_agg(shares.passed),
    array_agg(case when shares.tenant is null or shares.passed = 0 then shares.passed
      else greatest(0, least(shares.passed,
        shares.ceiling - (tenants.count - shares.total + shares.earlier)))::integer end),
    array_agg(distinct shares.tenant) filter (where tenants.leased
      and tenants.count > shares.ceiling and shares.passed > 0)
  into v_numbers, v_tenants, v_before, v_passed, v_granted, v_awaited
  from shares left join tenants on tenants.subject = 't:' || shares.tenant;

  if v_awaited is not null then
    perform uncount_requests(v_minute, array_agg(counted.subject), array_agg(counted.count::bigint),
      array_agg(0))
    from (
      select given.subject, sum(given.wanted) as count
      from unnest(p_subjects, p_counts, p_tenants) with ordinality given(subject, wanted, tenant, n)
      where given.tenant = any (v_awaited) and given.n = any (v_numbers) group by given.subject
      union all
      select 't:' || given.tenant, sum(given.passed)
      from unnest(v_tenants, v_passed) given(tenant, passed)
      where given.tenant = any (v_awaited) group by given.tenant
    ) counted;
  end if;
  if v_awaited is not null or cardinality(v_numbers) is distinct from cardinality(p_subjects) then
    perform pg_notify('budget_leases', awaited.name) from (
      select 't:' || unnest(v_awaited) as name
      union
      select given.subject from unnest(p_subjects) with ordinality given(subject, n)
      where given.n <> all (coalesce(v_numbers, '{}'))
    ) awaited;
  end if;
  return query
  select given.n::integer, least(counted.before, 2147483647)::integer, counted.passed,
    counted.granted, v_left_seconds
  from generate_series(1, cardinality(p_subjects)) given(n)
    left join unnest(v_numbers, v_tenants, v_before, v_passed, v_granted)
      counted(n, tenant, before, passed, granted)
      on counted.n = given.n and (counted.tenant = any (v_awaited)) is not true;
end $$;

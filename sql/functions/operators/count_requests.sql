-- Counts requests against subjects and, where they have one, tenants: specification "Limits", many in one round trip.
-- The arrays run side by side, one place a group: its subject, the subject's limit, how many requests it holds, the tenant or null, and
-- the tenant's ceiling. A row answers each group: how many were counted before it in this window, how many the subject granted,
-- and how many of those the tenant did.
-- The window is the wall-clock minute of the database. Rows are locked subjects first, tenants after, each in byte order, and every
-- subject sorts before every tenant ('t:' is kept for tenants), so batches of several processes cannot deadlock.
-- What the subject refused never reaches the tenant's counter. Set-based: a loop of upserts cost 2.5 times as much at 64 groups. One
-- generic plan: planned for each call by its arrays, it cost twice as much as it took to run.
create or replace function count_requests(
  p_subjects text[], p_limits integer[], p_counts integer[], p_tenants text[], p_ceilings integer[], p_now timestamptz default null)
returns table (group_no integer, counted_before integer, subject_granted integer, granted integer, reset_seconds integer)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  moment constant timestamptz := coalesce(p_now, clock_timestamp());
  minute constant timestamptz := date_trunc('minute', moment, 'UTC');
  left_seconds constant integer := greatest(1, ceil(extract(epoch from minute + interval '1 minute' - moment)))::integer;
begin
  return query
  with groups as materialized (
    select u.n::integer as n, u.subject, u.allowed, u.wanted, u.tenant, u.ceiling,
           sum(u.wanted) over same as total, sum(u.wanted) over (same order by u.n) - u.wanted as earlier
      from unnest(p_subjects, p_limits, p_counts, p_tenants, p_ceilings)
           with ordinality u(subject, allowed, wanted, tenant, ceiling, n)
    window same as (partition by u.subject)
  ), subjects as (
    insert into rate_counters as c (subject, window_start, count)
    select g.subject, minute, max(g.total) from groups g group by g.subject order by g.subject collate "C"
        on conflict (subject, window_start) do update set count = c.count + excluded.count
    returning c.subject, c.count
  ), firsts as (
    select g.n, g.tenant, g.ceiling, s.count - g.total + g.earlier as before,
           least(g.wanted, greatest(0, g.allowed - (s.count - g.total + g.earlier)))::integer as passed
      from groups g join subjects s using (subject)
  ), shares as materialized (
    select f.*, sum(f.passed) over same as total, sum(f.passed) over (same order by f.n) - f.passed as earlier
      from firsts f window same as (partition by f.tenant)
  ), tenants as (
    insert into rate_counters as c (subject, window_start, count)
    select 't:' || f.tenant, minute, max(f.total) from shares f
     where f.tenant is not null and f.total > 0 group by f.tenant order by f.tenant collate "C"
        on conflict (subject, window_start) do update set count = c.count + excluded.count
    returning c.subject, c.count
  )
  select s.n, least(s.before, 2147483647)::integer, s.passed,
         case when s.tenant is null or s.passed = 0 then s.passed
              else greatest(0, least(s.passed, s.ceiling - (t.count - s.total + s.earlier)))::integer end,
         left_seconds
    from shares s left join tenants t on t.subject = 't:' || s.tenant;
end $$;

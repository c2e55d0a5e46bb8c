-- Ends leases of a budget: what was counted in advance and not used is not counted any more
-- (docs/access.md, "Leases of a budget"). p_leases is an array of
--   [subject, tenant, minute (epoch seconds), end as it was granted, requests, unused ones]
-- A lease that has ended otherwise is left as it is, so a repetition changes nothing. Locks
-- subjects before tenants, each in byte order, as count_budgets does.
create or replace function return_budgets(p_leases jsonb) returns void language plpgsql as $$
begin
  -- counts are no facts: they never wait for a standby, and nothing that waits holds their rows
  perform set_config('synchronous_commit', 'off', true);
  perform from rate_counters counter
  where (counter.subject, counter.window_start) in (
    select named.subject, to_timestamp((given.lease ->> 2)::bigint)
    from jsonb_array_elements(p_leases) given(lease)
      cross join lateral (values (given.lease ->> 0), (given.lease ->> 1)) named(subject))
  order by counter.subject collate "C", counter.window_start for update;
  with leases as (
    select given.lease ->> 0 as subject, given.lease ->> 1 as tenant,
      to_timestamp((given.lease ->> 2)::bigint) as window_start,
      (given.lease ->> 3)::timestamptz as leased_until, (given.lease ->> 4)::integer as requests,
      (given.lease ->> 5)::integer as unused
    from jsonb_array_elements(p_leases) given(lease)
  ), ended as (
    update rate_counters counter
    set count = counter.count - leases.unused, leased = 0, leased_until = null
    from leases
    where counter.subject = leases.subject and counter.window_start = leases.window_start
      and counter.leased_until = leases.leased_until
    returning leases.tenant, leases.window_start, leases.requests, leases.unused
  ), tenants as (
    select ended.tenant, ended.window_start, sum(ended.requests)::integer as requests,
      sum(ended.unused) as unused
    from ended group by ended.tenant, ended.window_start
  )
  update rate_counters counter
  set count = counter.count - tenants.unused, leased = counter.leased - tenants.requests,
    leased_until = case when counter.leased > tenants.requests then counter.leased_until end
  from tenants
  where counter.subject = tenants.tenant and counter.window_start = tenants.window_start;
end $$;

-- The slow round of a worker: it says that it lives, gives back the jobs of workers that stopped saying so, forgets the jobs
-- that were replaced while they ran, and wakes endpoints that have something due. Nothing depends on it but recovery.
-- It wakes several endpoints, and a runner ends several jobs at once, in no order: where they wait for each other this one gives up,
-- well before the deadlock that would end the runner, and comes again.
create or replace function tend_webhooks(p_pool_id text, p_silence interval) returns integer language plpgsql set lock_timeout = '300ms' as $$
declare
  dead_ text[];
  woken_ integer;
begin
  insert into webhook_workers (pool_id, seen_at) values (p_pool_id, clock_timestamp())
  on conflict (pool_id) do update set seen_at = excluded.seen_at;
  -- One worker at a time does the rest.
  if not pg_try_advisory_xact_lock(hashtextextended('tend_webhooks', 0)) then
    return 0;
  end if;
  with dead as (delete from webhook_workers where seen_at < clock_timestamp() - p_silence returning pool_id)
  select array_agg(pool_id) into dead_ from dead;
  if dead_ is not null then
    perform graphile_worker.force_unlock_workers(dead_);
  end if;
  perform graphile_worker.complete_jobs(array(
    select j.id from graphile_worker.jobs j
    where j.task_identifier = 'webhook-deliver' and j.locked_at is null and j.attempts >= j.max_attempts limit 1000));

  with due as (
    select e.operator_id, e.endpoint_id from webhook_endpoints e
    join webhook_health h on h.operator_id = e.operator_id and h.endpoint_id = e.endpoint_id
    where e.active
      and exists (select 1 from webhook_deliveries d where d.operator_id = e.operator_id and d.endpoint_id = e.endpoint_id
        and d.status = 'pending' and d.next_attempt_at <= now()
        and (d.window_attempts > 0 or h.paused_until is null or h.paused_until <= now()))
  )
  select count(wake.done) into woken_ from (
    select wake_webhook_endpoints(array_agg(d.operator_id::text), array_agg(d.endpoint_id::text),
      array_agg(null::timestamptz)) as done
    from due d having count(*) > 0
  ) wake;
  return woken_;
end $$;

-- The periodic recovery of a worker: it records that the worker is alive, releases the jobs of
-- workers that are not, deletes jobs that were replaced while they ran, and wakes endpoints with
-- due deliveries. Only recovery depends on it. Locks: an advisory lock, so that one worker does it
-- at a time, then jobs of several endpoints. A runner ends several jobs at once in no fixed order;
-- if the two wait for each other, this function gives up well before the deadlock would end the
-- runner, and retries in its next run.
create or replace function recover_webhooks(p_pool_id text, p_silence interval)
returns integer language plpgsql
-- Well below deadlock_timeout (1 s): see above.
set lock_timeout = '300ms' as $$
declare
  v_dead text[];
  v_woken integer;
begin
  insert into webhook_workers (pool_id, seen_at) values (p_pool_id, clock_timestamp())
  on conflict (pool_id) do update set seen_at = excluded.seen_at;
  -- One worker at a time does the rest.
  if not pg_try_advisory_xact_lock(hashtextextended('recover_webhooks', 0)) then
    return 0;
  end if;
  with dead as (delete from webhook_workers
    where seen_at < clock_timestamp() - p_silence returning pool_id)
  select array_agg(pool_id) into v_dead from dead;
  if v_dead is not null then
    perform graphile_worker.force_unlock_workers(v_dead);
  end if;
  perform graphile_worker.complete_jobs(array(
    select job.id from graphile_worker.jobs job
    where job.task_identifier = 'webhook-deliver' and job.locked_at is null
      and job.attempts >= job.max_attempts limit 1000));

  with due as (
    select endpoint.operator_id, endpoint.endpoint_id from webhook_endpoints endpoint
    join webhook_health health on health.operator_id = endpoint.operator_id
      and health.endpoint_id = endpoint.endpoint_id
    where endpoint.active
      and exists (select 1 from webhook_deliveries delivery
        where delivery.operator_id = endpoint.operator_id
        and delivery.endpoint_id = endpoint.endpoint_id
        and delivery.status = 'pending' and delivery.next_attempt_at <= now()
        and (delivery.window_attempts > 0 or health.paused_until is null
          or health.paused_until <= now()))
  )
  select count(wake.done) into v_woken from (
    select wake_webhook_endpoints(array_agg(due.operator_id::text),
      array_agg(due.endpoint_id::text),
      array_agg(null::timestamptz)) as done
    from due having count(*) > 0
  ) wake;
  return v_woken;
end $$;

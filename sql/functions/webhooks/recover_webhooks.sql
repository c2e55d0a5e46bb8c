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
  v_operator_ids text[];
  v_endpoint_ids text[];
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

  select array_agg(endpoint.operator_id::text), array_agg(endpoint.endpoint_id::text)
  into v_operator_ids, v_endpoint_ids
  from webhook_endpoints endpoint
    join webhook_health health on health.operator_id = endpoint.operator_id
      and health.endpoint_id = endpoint.endpoint_id
  where endpoint.active
    and exists (select 1 from webhook_deliveries delivery
      where delivery.operator_id = endpoint.operator_id
      and delivery.endpoint_id = endpoint.endpoint_id
      and delivery.status = 'pending' and delivery.next_attempt_at <= now()
      and (delivery.window_attempts > 0 or health.paused_until is null
        or health.paused_until <= now()));
  if v_operator_ids is null then
    return 0;
  end if;
  perform wake_webhook_endpoints(v_operator_ids, v_endpoint_ids,
    array_fill(null::timestamptz, array[cardinality(v_operator_ids)]));
  return cardinality(v_operator_ids);
end $$;

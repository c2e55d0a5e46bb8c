-- Deliveries of webhooks: claims them, records attempts, recovers those of dead workers, and
-- replays finished ones.

-- Claims due deliveries of several endpoints, each under a lease. It reads the endpoint again, so a
-- rotated secret or a switched-off endpoint takes effect at the next claim. An inactive endpoint
-- has no deliveries, and a paused one only retries: each delivery keeps its own schedule of retries
-- (contract 27.8). Deliveries that another worker has locked are skipped.
create or replace function claim_webhook_deliveries(p_operator_id text, p_operator_ids text[],
  p_endpoint_ids text[], p_limits integer[], p_lease interval)
returns table (
  operator_id text, endpoint_id text, delivery_id text, window_attempts integer,
  window_elapsed_ms double precision,
  event_id text, sequence bigint, recorded_at timestamptz, type text, url text, host text,
  secret_sealed text
) language plpgsql
-- Look-ups by key only: a plan that was made on small tables must not scan them later.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_operator text := nullif(p_operator_id, '');
  v_now timestamptz := now();
  v_operators text[];
  v_deliveries text[];
  v_urls text[];
  v_hosts text[];
  v_secrets text[];
begin
  select array_agg(request.operator_id), array_agg(due.delivery_id::text), array_agg(endpoint.url),
    array_agg(endpoint.host), array_agg(endpoint.secret_sealed)
  into v_operators, v_deliveries, v_urls, v_hosts, v_secrets
  from unnest(p_operator_ids, p_endpoint_ids, p_limits)
      as request(operator_id, endpoint_id, most)
    join webhook_endpoints endpoint
      on endpoint.operator_id = coalesce(v_operator, request.operator_id)
      and endpoint.endpoint_id = request.endpoint_id and endpoint.active
    left join webhook_health health
      on health.operator_id = coalesce(v_operator, request.operator_id)
      and health.endpoint_id = request.endpoint_id
    cross join lateral (
      select waiting.delivery_id from webhook_deliveries waiting
      where waiting.operator_id = coalesce(v_operator, request.operator_id)
        and waiting.endpoint_id = request.endpoint_id
        and waiting.status = 'pending' and waiting.next_attempt_at <= v_now
        and (waiting.window_attempts > 0 or health.paused_until is null
          or health.paused_until <= v_now)
      order by waiting.next_attempt_at limit request.most for update skip locked
    ) due;
  return query
  update webhook_deliveries delivery set next_attempt_at = v_now + p_lease
  from unnest(v_operators, v_deliveries, v_urls, v_hosts, v_secrets)
    as due(operator_id, delivery_id, url, host, secret_sealed)
  where delivery.operator_id = coalesce(v_operator, due.operator_id)
    and delivery.delivery_id = due.delivery_id
  returning delivery.operator_id::text, delivery.endpoint_id::text, delivery.delivery_id::text,
    delivery.window_attempts,
    coalesce(extract(epoch from v_now - delivery.window_started_at) * 1000, 0)::double precision,
    delivery.event_id::text, delivery.sequence, delivery.recorded_at, delivery.type, due.url,
    due.host, due.secret_sealed;
end $$;

-- Writes a batch of attempts: the log, each delivery's new state, the endpoints' totals, the jobs
-- of the retries and, after a 410, the switching off. Locks: deliveries in the order of their keys,
-- endpoints, health rows, jobs. A delivery that was acknowledged once stays delivered, even if a
-- lease ran out and a second attempt failed.
create or replace function record_webhook_attempts(
  p_operator_id text, p_operator_ids text[], p_endpoint_ids text[], p_delivery_ids text[],
  p_started_at timestamptz[],
  p_duration_ms integer[],
  p_http_status integer[], p_errors text[], p_responses text[], p_outcomes text[],
  p_retry_ms double precision[]
) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_now timestamptz := clock_timestamp();
  v_begun timestamptz[] := array(select v_now - took.ms * interval '1 millisecond'
    from unnest(p_duration_ms) with ordinality took(ms, n) order by took.n);
  v_due timestamptz[] := array(select v_now + wait.ms * interval '1 millisecond'
    from unnest(p_retry_ms) with ordinality wait(ms, n) order by wait.n);
  v_moved record;
  -- the number of each attempt, by its place; null if its delivery is gone
  v_numbers integer[] := array_fill(null::integer, array[cardinality(p_delivery_ids)]);
  v_gone record;
begin
  perform 1 from unnest(p_operator_ids, p_delivery_ids) as result(operator_id, delivery_id)
    join webhook_deliveries delivery
      on delivery.operator_id = coalesce(v_operator, result.operator_id)
      and delivery.delivery_id = result.delivery_id
  order by delivery.operator_id, delivery.delivery_id for update of delivery;

  for v_moved in
    update webhook_deliveries delivery set
      attempts = delivery.attempts + 1,
      window_attempts = delivery.window_attempts + 1,
      window_started_at = coalesce(delivery.window_started_at, result.begun_at),
      status = case when delivery.status = 'delivered' or result.outcome = 'delivered'
        then 'delivered'
        when result.outcome = 'retry' then delivery.status else 'exhausted' end,
      finished_at = case when delivery.status = 'delivered' then delivery.finished_at
        when result.outcome = 'retry' then delivery.finished_at else v_now end,
      next_attempt_at = coalesce(result.due_at, delivery.next_attempt_at)
    from unnest(p_operator_ids, p_delivery_ids, v_begun, p_outcomes, v_due) with ordinality
      as result(operator_id, delivery_id, begun_at, outcome, due_at, place)
    where delivery.operator_id = coalesce(v_operator, result.operator_id)
      and delivery.delivery_id = result.delivery_id
    returning result.place, delivery.attempts
  loop
    v_numbers[v_moved.place] := v_moved.attempts;
  end loop;
  insert into webhook_attempts (operator_id, delivery_id, attempt, started_at, duration_ms,
    http_status, error, response)
  select result.operator_id, result.delivery_id, result.attempt, result.started_at,
    result.duration_ms, result.http_status, result.error, result.response
  from unnest(p_operator_ids, p_delivery_ids, v_numbers, p_started_at, p_duration_ms,
      p_http_status, p_errors, p_responses)
    as result(operator_id, delivery_id, attempt, started_at, duration_ms, http_status, error,
      response)
  where result.attempt is not null
  on conflict do nothing;

  for v_gone in
    select distinct result.operator_id, result.endpoint_id
      from unnest(p_operator_ids, p_endpoint_ids, p_outcomes)
      as result (operator_id, endpoint_id, outcome)
    where result.outcome = 'gone' order by result.operator_id, result.endpoint_id
  loop
    perform change_webhook_endpoint(v_gone.operator_id, v_gone.endpoint_id, p_active => false,
      p_reason => 'gone');
  end loop;

  perform 1 from (select distinct result.operator_id, result.endpoint_id
      from unnest(p_operator_ids, p_endpoint_ids) as result(operator_id, endpoint_id)) result
    join webhook_health health
      on health.operator_id = coalesce(v_operator, result.operator_id)
      and health.endpoint_id = result.endpoint_id
  order by health.operator_id, health.endpoint_id for update of health;
  update webhook_health health set
    delivered = health.delivered + totals.delivered, failed = health.failed + totals.failed,
      last_attempt_at = greatest(health.last_attempt_at, totals.last_at)
  from (
    select result.operator_id, result.endpoint_id, count(*)
      filter (where result.outcome = 'delivered') as delivered,
      count(*) filter (where result.outcome <> 'delivered') as failed,
        max(result.started_at) as last_at
    from unnest(p_operator_ids, p_endpoint_ids, p_outcomes, p_started_at)
      as result (operator_id, endpoint_id, outcome, started_at)
    group by result.operator_id, result.endpoint_id
  ) totals where health.operator_id = coalesce(v_operator, totals.operator_id)
    and health.endpoint_id = totals.endpoint_id;

  if exists (select 1 from unnest(p_retry_ms) as retry (ms) where retry.ms is not null) then
    perform wake_webhook_endpoints(array_agg(result.operator_id), array_agg(result.endpoint_id),
      array_agg(clock_timestamp() + result.retry_ms * interval '1 millisecond'))
    from unnest(p_operator_ids, p_endpoint_ids, p_retry_ms)
      as result (operator_id, endpoint_id, retry_ms)
    where result.retry_ms is not null;
  end if;
end $$;

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

-- Puts finished deliveries of active endpoints, delivered or exhausted, back to the start of the
-- schedule: those named, or all whose event was queued since a time. Returns the deliveries that it
-- took.
create or replace function replay_webhook_deliveries(p_delivery_ids text[], p_operator_id text,
  p_endpoint_id text, p_since timestamptz)
returns setof text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_replayed record;
  v_operator_ids text[] := '{}';
  v_endpoint_ids text[] := '{}';
begin
  for v_replayed in
    update webhook_deliveries delivery set
      status = 'pending', finished_at = null, window_attempts = 0, window_started_at = null,
        queued_at = v_now, next_attempt_at = v_now
    from webhook_endpoints endpoint
    where delivery.status in ('delivered', 'exhausted')
      and endpoint.operator_id = delivery.operator_id
      and endpoint.endpoint_id = delivery.endpoint_id and endpoint.active
      and (p_delivery_ids is null or delivery.delivery_id = any (p_delivery_ids))
      and (p_operator_id is null or delivery.operator_id = p_operator_id)
      and (p_endpoint_id is null or delivery.endpoint_id = p_endpoint_id)
      and (p_since is null or delivery.created_at >= p_since)
      and (p_delivery_ids is not null or p_since is not null)
    returning delivery.operator_id, delivery.endpoint_id, delivery.delivery_id
  loop
    if v_replayed.endpoint_id::text <> all (v_endpoint_ids) then
      v_operator_ids := v_operator_ids || v_replayed.operator_id::text;
      v_endpoint_ids := v_endpoint_ids || v_replayed.endpoint_id::text;
    end if;
    return next v_replayed.delivery_id::text;
  end loop;
  if cardinality(v_endpoint_ids) > 0 then
    perform wake_webhook_endpoints(v_operator_ids, v_endpoint_ids,
      array_fill(null::timestamptz, array[cardinality(v_operator_ids)]));
  end if;
end $$;

-- The same for one delivery of an operator, also one that is still retried: its next attempt is
-- made now. Returns whether its endpoint is active, without which nothing changes, or null if the
-- operator has no such delivery. Locks: the delivery, then the job of its endpoint.
create or replace function resend_webhook_delivery(p_operator_id text, p_delivery_id text)
returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_endpoint_id text;
  v_active boolean;
begin
  select delivery.endpoint_id into v_endpoint_id from webhook_deliveries delivery
  where delivery.operator_id = p_operator_id and delivery.delivery_id = p_delivery_id for update;
  select endpoint.active into v_active from webhook_endpoints endpoint
  where endpoint.operator_id = p_operator_id and endpoint.endpoint_id = v_endpoint_id;
  if v_active then
    update webhook_deliveries delivery set status = 'pending', finished_at = null,
      window_attempts = 0, window_started_at = null, queued_at = v_now, next_attempt_at = v_now
    where delivery.operator_id = p_operator_id and delivery.delivery_id = p_delivery_id;
    perform wake_webhook_endpoints(array[p_operator_id], array[v_endpoint_id],
      array[null::timestamptz]);
  end if;
  return v_active;
end $$;

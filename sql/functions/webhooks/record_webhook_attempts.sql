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

-- Writes a batch of attempts: the log, each delivery's new state, the endpoints' totals, the jobs
-- of the retries and, after a 410, the switching off. Locks: deliveries in the order of their keys,
-- endpoints, health rows, jobs. A delivery that was acknowledged once stays delivered, even if a
-- lease ran out and a second attempt failed.
create or replace function record_webhook_attempts(
  p_operator_ids text[], p_endpoint_ids text[], p_delivery_ids text[], p_started_at timestamptz[],
  p_duration_ms integer[],
  p_http_status integer[], p_errors text[], p_responses text[], p_outcomes text[],
  p_retry_ms double precision[]
) returns void language plpgsql as $$
declare
  v_gone record;
begin
  perform 1 from webhook_deliveries delivery
  where (delivery.operator_id, delivery.delivery_id) in (select *
    from unnest(p_operator_ids, p_delivery_ids))
  order by delivery.operator_id, delivery.delivery_id for update;

  with results as (
    select *, clock_timestamp() + result.retry_ms * interval '1 millisecond' as retry_at
    from unnest(p_operator_ids, p_delivery_ids, p_started_at, p_duration_ms, p_http_status,
      p_errors, p_responses, p_outcomes, p_retry_ms)
      as result (operator_id, delivery_id, started_at, duration_ms, http_status, error, response,
        outcome, retry_ms)
  ), moved as (
    update webhook_deliveries delivery set
      attempts = delivery.attempts + 1,
      window_attempts = delivery.window_attempts + 1,
      window_started_at = coalesce(delivery.window_started_at,
        clock_timestamp() - results.duration_ms * interval '1 millisecond'),
      status = case when delivery.status = 'delivered' or results.outcome = 'delivered'
        then 'delivered'
        when results.outcome = 'retry' then delivery.status else 'exhausted' end,
      finished_at = case when delivery.status = 'delivered' then delivery.finished_at
        when results.outcome = 'retry' then delivery.finished_at else clock_timestamp() end,
      next_attempt_at = coalesce(results.retry_at, delivery.next_attempt_at)
    from results where delivery.operator_id = results.operator_id
      and delivery.delivery_id = results.delivery_id
    returning delivery.operator_id, delivery.delivery_id, delivery.attempts
  )
  insert into webhook_attempts (operator_id, delivery_id, attempt, started_at, duration_ms,
    http_status, error, response)
  select results.operator_id, results.delivery_id, moved.attempts, results.started_at,
    results.duration_ms, results.http_status, results.error, results.response
  from results join moved on moved.operator_id = results.operator_id
    and moved.delivery_id = results.delivery_id
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

  perform 1 from webhook_health health
  where (health.operator_id, health.endpoint_id) in (select *
    from unnest(p_operator_ids, p_endpoint_ids))
  order by health.operator_id, health.endpoint_id for update;
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
  ) totals where health.operator_id = totals.operator_id
    and health.endpoint_id = totals.endpoint_id;

  if exists (select 1 from unnest(p_retry_ms) as retry (ms) where retry.ms is not null) then
    perform wake_webhook_endpoints(array_agg(result.operator_id), array_agg(result.endpoint_id),
      array_agg(clock_timestamp() + result.retry_ms * interval '1 millisecond'))
    from unnest(p_operator_ids, p_endpoint_ids, p_retry_ms)
      as result (operator_id, endpoint_id, retry_ms)
    where result.retry_ms is not null;
  end if;
end $$;

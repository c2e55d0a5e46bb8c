-- Writes a batch of attempts: the log, each delivery's new state, the endpoints' totals, the jobs of the retries and, on 410,
-- the switching off. Locks: deliveries in order of their key, endpoints, health rows, jobs. What was acknowledged once stays delivered, even where
-- a lease ran out and a second attempt failed.
create or replace function record_webhook_attempts(
  p_operator_ids text[], p_endpoint_ids text[], p_delivery_ids text[], p_started_at timestamptz[], p_duration_ms integer[],
  p_http_status integer[], p_errors text[], p_responses text[], p_outcomes text[], p_retry_ms double precision[]
) returns void language plpgsql as $$
declare
  gone_ record;
begin
  perform 1 from webhook_deliveries d
  where (d.operator_id, d.delivery_id) in (select * from unnest(p_operator_ids, p_delivery_ids))
  order by d.operator_id, d.delivery_id for update;

  with results as (
    select *, clock_timestamp() + r.retry_ms * interval '1 millisecond' as retry_at
    from unnest(p_operator_ids, p_delivery_ids, p_started_at, p_duration_ms, p_http_status, p_errors, p_responses, p_outcomes, p_retry_ms)
      as r (operator_id, delivery_id, started_at, duration_ms, http_status, error, response, outcome, retry_ms)
  ), moved as (
    update webhook_deliveries d set
      attempts = d.attempts + 1,
      window_attempts = d.window_attempts + 1,
      window_started_at = coalesce(d.window_started_at, clock_timestamp() - r.duration_ms * interval '1 millisecond'),
      status = case when d.status = 'delivered' or r.outcome = 'delivered' then 'delivered'
        when r.outcome = 'retry' then d.status else 'exhausted' end,
      finished_at = case when d.status = 'delivered' then d.finished_at when r.outcome = 'retry' then d.finished_at else clock_timestamp() end,
      next_attempt_at = coalesce(r.retry_at, d.next_attempt_at)
    from results r where d.operator_id = r.operator_id and d.delivery_id = r.delivery_id
    returning d.operator_id, d.delivery_id, d.attempts
  )
  insert into webhook_attempts (operator_id, delivery_id, attempt, started_at, duration_ms, http_status, error, response)
  select r.operator_id, r.delivery_id, m.attempts, r.started_at, r.duration_ms, r.http_status, r.error, r.response
  from results r join moved m on m.operator_id = r.operator_id and m.delivery_id = r.delivery_id
  on conflict do nothing;

  for gone_ in
    select distinct r.operator_id, r.endpoint_id from unnest(p_operator_ids, p_endpoint_ids, p_outcomes) as r (operator_id, endpoint_id, outcome)
    where r.outcome = 'gone' order by r.operator_id, r.endpoint_id
  loop
    perform change_webhook_endpoint(gone_.operator_id, gone_.endpoint_id, p_active => false, p_reason => 'gone');
  end loop;

  perform 1 from webhook_health h
  where (h.operator_id, h.endpoint_id) in (select * from unnest(p_operator_ids, p_endpoint_ids))
  order by h.operator_id, h.endpoint_id for update;
  update webhook_health h set
    delivered = h.delivered + t.delivered, failed = h.failed + t.failed, last_attempt_at = greatest(h.last_attempt_at, t.last_at)
  from (
    select r.operator_id, r.endpoint_id, count(*) filter (where r.outcome = 'delivered') as delivered,
      count(*) filter (where r.outcome <> 'delivered') as failed, max(r.started_at) as last_at
    from unnest(p_operator_ids, p_endpoint_ids, p_outcomes, p_started_at) as r (operator_id, endpoint_id, outcome, started_at)
    group by r.operator_id, r.endpoint_id
  ) t where h.operator_id = t.operator_id and h.endpoint_id = t.endpoint_id;

  if exists (select 1 from unnest(p_retry_ms) as retry (ms) where retry.ms is not null) then
    perform wake_webhook_endpoints(array_agg(r.operator_id), array_agg(r.endpoint_id),
      array_agg(clock_timestamp() + r.retry_ms * interval '1 millisecond'))
    from unnest(p_operator_ids, p_endpoint_ids, p_retry_ms) as r (operator_id, endpoint_id, retry_ms)
    where r.retry_ms is not null;
  end if;
end $$;

-- Claims due deliveries of several endpoints, each under a lease. It reads the endpoint again, so a
-- rotated secret or a switched-off endpoint takes effect at the next claim. An inactive endpoint
-- has no deliveries, and a paused one only retries: each delivery keeps its own schedule of retries
-- (contract 27.8). Deliveries that another worker has locked are skipped.
create or replace function claim_webhook_deliveries(p_operator_ids text[], p_endpoint_ids text[],
  p_limits integer[], p_lease interval)
returns table (
  operator_id text, endpoint_id text, delivery_id text, window_attempts integer,
  window_elapsed_ms double precision,
  event_id text, sequence bigint, recorded_at timestamptz, type text, url text, host text,
  secret_sealed text
) language sql as $$
  with due as (
    select request.operator_id, request.endpoint_id, due_delivery.delivery_id, endpoint.url,
      endpoint.host, endpoint.secret_sealed
    from unnest(p_operator_ids, p_endpoint_ids, p_limits)
      as request (operator_id, endpoint_id, most)
    join webhook_endpoints endpoint on endpoint.operator_id = request.operator_id
      and endpoint.endpoint_id = request.endpoint_id and endpoint.active
    left join webhook_health health on health.operator_id = request.operator_id
      and health.endpoint_id = request.endpoint_id
    cross join lateral (
      select waiting.delivery_id from webhook_deliveries waiting
      where waiting.operator_id = request.operator_id and waiting.endpoint_id = request.endpoint_id
        and waiting.status = 'pending' and waiting.next_attempt_at <= now()
        and (waiting.window_attempts > 0 or health.paused_until is null
          or health.paused_until <= now())
      order by waiting.next_attempt_at limit request.most for update skip locked
    ) due_delivery
  ), claimed as (
    update webhook_deliveries delivery set next_attempt_at = now() + p_lease from due
    where delivery.operator_id = due.operator_id and delivery.delivery_id = due.delivery_id
    returning delivery.operator_id, delivery.endpoint_id, delivery.delivery_id,
      delivery.window_attempts, delivery.window_started_at, delivery.event_id,
      delivery.sequence, delivery.recorded_at, delivery.type,
      due.url, due.host, due.secret_sealed
  )
  select claimed.operator_id, claimed.endpoint_id, claimed.delivery_id, claimed.window_attempts,
    coalesce(extract(epoch from now() - claimed.window_started_at) * 1000, 0)::double precision,
    claimed.event_id, claimed.sequence, claimed.recorded_at, claimed.type, claimed.url,
    claimed.host, claimed.secret_sealed
  from claimed
$$;

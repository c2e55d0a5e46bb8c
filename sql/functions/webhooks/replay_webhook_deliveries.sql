-- Puts finished deliveries of active endpoints, delivered or exhausted, back to the start of the
-- schedule: those named, or all whose event was queued since a time. Returns the deliveries that it
-- took.
create or replace function replay_webhook_deliveries(p_delivery_ids text[], p_operator_id text,
  p_endpoint_id text, p_since timestamptz)
returns setof text language plpgsql as $$
begin
  return query
  with replayed as (
    update webhook_deliveries delivery set
      status = 'pending', finished_at = null, window_attempts = 0, window_started_at = null,
        queued_at = clock_timestamp(), next_attempt_at = now()
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
  ), woken as materialized (
    select wake_webhook_endpoints(array_agg(replayed.operator_id::text),
      array_agg(replayed.endpoint_id::text), array_agg(null::timestamptz))
    from replayed having count(*) > 0
  )
  select replayed.delivery_id::text from replayed where (select count(*) from woken) >= 0;
end $$;

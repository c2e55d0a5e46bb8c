-- Puts deliveries of active endpoints that came to an end, delivered or exhausted, back at the start of the schedule: those named,
-- or all whose event was queued since a time. Returns the ones it took.
create or replace function replay_webhook_deliveries(p_delivery_ids text[], p_operator_id text, p_endpoint_id text, p_since timestamptz)
returns setof text language plpgsql as $$
begin
  return query
  with replayed as (
    update webhook_deliveries d set
      status = 'pending', finished_at = null, window_attempts = 0, window_started_at = null, queued_at = clock_timestamp(), next_attempt_at = now()
    from webhook_endpoints e
    where d.status in ('delivered', 'exhausted') and e.operator_id = d.operator_id and e.endpoint_id = d.endpoint_id and e.active
      and (p_delivery_ids is null or d.delivery_id = any (p_delivery_ids))
      and (p_operator_id is null or d.operator_id = p_operator_id)
      and (p_endpoint_id is null or d.endpoint_id = p_endpoint_id)
      and (p_since is null or d.created_at >= p_since)
      and (p_delivery_ids is not null or p_since is not null)
    returning d.operator_id, d.endpoint_id, d.delivery_id
  ), woken as materialized (
    select wake_webhook_endpoints(array_agg(r.operator_id::text), array_agg(r.endpoint_id::text), array_agg(null::timestamptz))
    from replayed r having count(*) > 0
  )
  select r.delivery_id::text from replayed r where (select count(*) from woken) >= 0;
end $$;

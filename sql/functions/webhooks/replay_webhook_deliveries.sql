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

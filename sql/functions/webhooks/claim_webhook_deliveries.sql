-- Hands out due deliveries of several endpoints at once, each under a lease. It reads the endpoint afresh, so a rotated secret
-- or a switched-off endpoint counts from the next claim on; an inactive endpoint gives nothing, and a paused one only retries:
-- each delivery keeps the schedule of its retries (rulings 9), whatever other deliveries came to.
create or replace function claim_webhook_deliveries(p_operator_ids text[], p_endpoint_ids text[], p_limits integer[], p_lease interval)
returns table (
  operator_id text, endpoint_id text, delivery_id text, window_attempts integer, window_elapsed_ms double precision,
  event_id text, type text, dedupe_key text, data text, url text, host text, secret_sealed text
) language sql as $$
  with due as (
    select w.operator_id, w.endpoint_id, d.delivery_id, e.url, e.host, e.secret_sealed
    from unnest(p_operator_ids, p_endpoint_ids, p_limits) as w (operator_id, endpoint_id, wanted)
    join webhook_endpoints e on e.operator_id = w.operator_id and e.endpoint_id = w.endpoint_id and e.active
    left join webhook_health h on h.operator_id = w.operator_id and h.endpoint_id = w.endpoint_id
    cross join lateral (
      select c.delivery_id from webhook_deliveries c
      where c.operator_id = w.operator_id and c.endpoint_id = w.endpoint_id and c.status = 'pending' and c.next_attempt_at <= now()
        and (c.window_attempts > 0 or h.paused_until is null or h.paused_until <= now())
      order by c.next_attempt_at limit w.wanted for update skip locked
    ) d
  ), claimed as (
    update webhook_deliveries d set next_attempt_at = now() + p_lease from due u
    where d.operator_id = u.operator_id and d.delivery_id = u.delivery_id
    returning d.operator_id, d.endpoint_id, d.delivery_id, d.window_attempts, d.window_started_at, d.event_id, d.type, u.url, u.host, u.secret_sealed
  )
  select c.operator_id, c.endpoint_id, c.delivery_id, c.window_attempts,
    coalesce(extract(epoch from now() - c.window_started_at) * 1000, 0)::double precision,
    c.event_id, c.type, o.dedupe_key, o.data::text, c.url, c.host, c.secret_sealed
  from claimed c join outbox_events o on o.operator_id = c.operator_id and o.event_id = c.event_id
$$;

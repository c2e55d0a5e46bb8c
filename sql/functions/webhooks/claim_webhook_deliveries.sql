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

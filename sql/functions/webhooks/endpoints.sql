-- Changes endpoints of webhooks, with the periods in which they receive events.

-- Makes the open periods of an endpoint match its settings: none while it is inactive, one for each
-- subscribed type while it is active. The caller holds the endpoint's row.
create or replace function set_webhook_subscriptions(p_operator_id text, p_endpoint_id text)
returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  update webhook_subscriptions subscription set until_at
    = greatest(v_now, subscription.from_at)
  from webhook_endpoints endpoint
  where subscription.operator_id = p_operator_id and subscription.endpoint_id = p_endpoint_id
    and subscription.until_at is null
    and endpoint.operator_id = subscription.operator_id
      and endpoint.endpoint_id = subscription.endpoint_id
      and (not endpoint.active or subscription.type <> all (endpoint.events));
  insert into webhook_subscriptions (operator_id, endpoint_id, type, from_at)
  select endpoint.operator_id, endpoint.endpoint_id, wanted.type, v_now
  from webhook_endpoints endpoint cross join unnest(endpoint.events) as wanted (type)
  where endpoint.operator_id = p_operator_id and endpoint.endpoint_id = p_endpoint_id
    and endpoint.active
    and not exists (select 1 from webhook_subscriptions subscription
      where subscription.operator_id = endpoint.operator_id
      and subscription.endpoint_id = endpoint.endpoint_id
      and subscription.type = wanted.type and subscription.until_at is null);
end $$;

-- Registers an endpoint, which receives events from now on. Returns false if the operator has
-- p_most already. An advisory lock makes registrations of one operator wait for each other.
create or replace function register_webhook_endpoint(
  p_operator_id text, p_endpoint_id text, p_url text, p_host text, p_events text[],
  p_secret_sealed text, p_most integer
) returns boolean language plpgsql as $$
declare
  v_last integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('webhook_endpoints:' || p_operator_id, 0));
  if (select count(*) from webhook_endpoints
    where operator_id = p_operator_id and removed_at is null) >= p_most then
    return false;
  end if;
  select coalesce(max(number), 0) into v_last from webhook_endpoints
  where operator_id = p_operator_id;
  insert into webhook_endpoints (operator_id, endpoint_id, number, url, host, events, secret_sealed,
    registered_at, updated_at)
  values (p_operator_id, p_endpoint_id, v_last + 1,
    p_url, p_host, p_events, p_secret_sealed, clock_timestamp(), clock_timestamp());
  insert into webhook_health (operator_id, endpoint_id) values (p_operator_id, p_endpoint_id);
  perform set_webhook_subscriptions(p_operator_id, p_endpoint_id);
  return true;
end $$;

-- Changes an endpoint; a null argument leaves its column as it is. Switching it on ends the pause
-- of the breaker and wakes waiting deliveries; removing it gives up pending deliveries. Locks: the
-- endpoint's row first.
create or replace function change_webhook_endpoint(
  p_operator_id text, p_endpoint_id text, p_url text default null, p_host text default null,
  p_events text[] default null,
  p_secret_sealed text default null, p_active boolean default null, p_reason text default null
) returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  update webhook_endpoints set
    url = coalesce(p_url, url), host = coalesce(p_host, host), events = coalesce(p_events, events),
    secret_sealed = coalesce(p_secret_sealed, secret_sealed), active = coalesce(p_active, active),
    disabled_reason = case when p_active is null then disabled_reason when p_active then null
      else coalesce(disabled_reason, p_reason) end,
    removed_at = case when p_reason = 'removed' then v_now else removed_at end,
    updated_at = v_now
  where operator_id = p_operator_id and endpoint_id = p_endpoint_id and removed_at is null;
  perform set_webhook_subscriptions(p_operator_id, p_endpoint_id);
  if p_reason = 'removed' then
    update webhook_deliveries set status = 'exhausted', finished_at = v_now
    where operator_id = p_operator_id and endpoint_id = p_endpoint_id and status = 'pending';
  end if;
  if p_active or p_url is not null then
    update webhook_health set paused_until = null
      where operator_id = p_operator_id and endpoint_id = p_endpoint_id;
    perform wake_webhook_endpoints(array[p_operator_id], array[p_endpoint_id],
      array[null::timestamptz]);
  end if;
end $$;

-- The breaker has opened: no delivery is attempted for the first time until the pause is over, when
-- a job probes the endpoint. Retries keep their own schedule. A pause of zero ends a pause.
create or replace function pause_webhook_endpoint(p_operator_id text, p_endpoint_id text,
  p_pause interval) returns void language plpgsql as $$
declare
  v_until timestamptz := clock_timestamp() + p_pause;
begin
  update webhook_health set paused_until = v_until
  where operator_id = p_operator_id and endpoint_id = p_endpoint_id;
  perform wake_webhook_endpoints(array[p_operator_id], array[p_endpoint_id],
    array[v_until]);
end $$;

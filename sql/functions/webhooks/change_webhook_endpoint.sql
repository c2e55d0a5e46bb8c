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

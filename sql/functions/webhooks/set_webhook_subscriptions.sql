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

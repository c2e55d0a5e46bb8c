-- Makes an endpoint's open periods match what it is: none while it is inactive, one per subscribed type while it is active.
-- The caller holds the endpoint's row.
create or replace function set_webhook_subscriptions(p_operator_id text, p_endpoint_id text) returns void language sql as $$
  update webhook_subscriptions s set until_at = greatest(clock_timestamp(), s.from_at)
  from webhook_endpoints e
  where s.operator_id = p_operator_id and s.endpoint_id = p_endpoint_id and s.until_at is null
    and e.operator_id = s.operator_id and e.endpoint_id = s.endpoint_id and (not e.active or s.type <> all (e.events));
  insert into webhook_subscriptions (operator_id, endpoint_id, type, from_at)
  select e.operator_id, e.endpoint_id, t.type, clock_timestamp()
  from webhook_endpoints e cross join unnest(e.events) as t (type)
  where e.operator_id = p_operator_id and e.endpoint_id = p_endpoint_id and e.active
    and not exists (select 1 from webhook_subscriptions s where s.operator_id = e.operator_id and s.endpoint_id = e.endpoint_id
      and s.type = t.type and s.until_at is null);
$$;

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

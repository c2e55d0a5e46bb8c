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

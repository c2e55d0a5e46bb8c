-- Arms a scenario for an hour. Scenarios of the operator that expired unused are disarmed with it,
-- so that orders, which search the armed ones, find few. A row that an order has locked is skipped.
create or replace function arm_scenario(p_operator_id text, p_scenario_id text, p_fraction numeric,
  p_amount bigint, p_client_order_id text)
returns setof scenarios language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now timestamptz := now();
  v_expired text[];
begin
  perform hold_in_place(p_operator_id);
  v_expired := array(select expired.scenario_id from scenarios expired
    where expired.operator_id = p_operator_id and expired.consumed_by is null
      and expired.disarmed_at is null and expired.expires_at <= v_now
    for update skip locked);
  update scenarios scenario set disarmed_at = v_now
  where scenario.operator_id = p_operator_id and scenario.scenario_id = any (v_expired);
  return query
  insert into scenarios (operator_id, scenario_id, kind, fill_fraction, fill_amount_minor,
    client_order_id, created_at, expires_at)
  values (p_operator_id, p_scenario_id, 'partial_fill', p_fraction, p_amount, p_client_order_id,
    v_now, v_now + interval '1 hour')
  returning *;
end $$;

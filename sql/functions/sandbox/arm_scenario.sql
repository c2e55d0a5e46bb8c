-- Arms a scenario for an hour. Scenarios of the operator that expired unused are disarmed with it,
-- so that orders, which search the armed ones, find few. A row that an order has locked is skipped.
create or replace function arm_scenario(p_operator_id text, p_scenario_id text, p_fraction numeric,
  p_amount bigint, p_client_order_id text)
returns setof scenarios language sql volatile as $$
  with put_away as (
    update scenarios scenario set disarmed_at = now()
    where (scenario.operator_id, scenario.scenario_id) in (
      select expired.operator_id, expired.scenario_id from scenarios expired
      where expired.operator_id = p_operator_id and expired.consumed_by is null
        and expired.disarmed_at is null and expired.expires_at <= now()
      for update skip locked)
  )
  insert into scenarios (operator_id, scenario_id, kind, fill_fraction, fill_amount_minor,
    client_order_id, created_at, expires_at)
  values (p_operator_id, p_scenario_id, 'partial_fill', p_fraction, p_amount, p_client_order_id,
    now(), now() + interval '1 hour')
  returning *
$$;

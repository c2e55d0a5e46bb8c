-- Arms a scenario for an hour. Those of the operator that expired unused are put away with it, so that orders, which look
-- through the armed ones, find no heap of old ones; a row that an order holds is passed over.
create or replace function arm_scenario(p_operator_id text, p_scenario_id text, p_fraction numeric, p_amount bigint, p_client_order_id text)
returns setof scenarios language sql volatile as $$
  with put_away as (
    update scenarios s set disarmed_at = now()
    where (s.operator_id, s.scenario_id) in (
      select e.operator_id, e.scenario_id from scenarios e
      where e.operator_id = p_operator_id and e.consumed_by is null and e.disarmed_at is null and e.expires_at <= now()
      for update skip locked)
  )
  insert into scenarios (operator_id, scenario_id, kind, fill_fraction, fill_amount_minor, client_order_id, created_at, expires_at)
  values (p_operator_id, p_scenario_id, 'partial_fill', p_fraction, p_amount, p_client_order_id, now(), now() + interval '1 hour')
  returning *
$$;

-- Takes the locks that place_orders needs before it checks anything: the customers' rows, then the
-- scenarios that the commands want to use. Each kind is locked in one global order, so two batches
-- never wait for each other in a circle. The operators' ledgers follow last, in append_to_journal.
-- Runs under the planner settings of its caller.
create or replace function lock_order_rows(p_operator_id text, p_orders order_row[],
  p_scripted boolean) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  perform 1 from unnest(p_orders) command
    join customers customer on customer.operator_id = coalesce(v_operator, command.operator_id)
      and customer.external_user_id = command.external_user_id
  order by customer.operator_id, customer.external_user_id for no key update of customer;
  if p_scripted then
    perform 1 from (select distinct command.operator_id, command.scenario_id
        from unnest(p_orders) command) command
      join scenarios scenario on scenario.operator_id = coalesce(v_operator, command.operator_id)
        and scenario.scenario_id = command.scenario_id
    order by scenario.operator_id, scenario.scenario_id for update of scenario;
  end if;
end $$;

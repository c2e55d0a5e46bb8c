-- Takes the locks that place_orders needs before it checks anything: the customers' rows, then the
-- scenarios that the commands want to use. Each kind is locked in one global order, so two batches
-- never wait for each other in a circle. The operators' ledgers follow last, in append_to_journal.
-- Runs under the planner settings of its caller.
create or replace function lock_order_rows(p_orders orders[], p_scripted boolean)
returns void language plpgsql as $$
begin
  perform 1 from customers customer
  where (customer.operator_id, customer.external_user_id) in (
    select command.operator_id, command.external_user_id from unnest(p_orders) command)
  order by customer.operator_id, customer.external_user_id for no key update;
  if p_scripted then
    perform 1 from scenarios scenario
    where (scenario.operator_id, scenario.scenario_id) in (
      select command.operator_id, command.scenario_id from unnest(p_orders) command
      where command.scenario_id is not null)
    order by scenario.operator_id, scenario.scenario_id for update;
  end if;
end $$;

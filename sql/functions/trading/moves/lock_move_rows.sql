-- Takes the locks that move_orders needs before it checks anything: the customers' rows, then the
-- operators' totals of exposure, each kind in one global order. The operators' ledgers follow
-- last, in append_to_journal. Runs under the planner settings of its caller.
create or replace function lock_move_rows(
  p_orders orders[], p_effects order_effects[], p_begins boolean, p_exposes boolean
) returns void language plpgsql as $$
begin
  perform 1 from customers customer
  where (customer.operator_id, customer.external_user_id) in (
    select command.operator_id, command.external_user_id from unnest(p_orders) command)
  order by customer.operator_id, customer.external_user_id for no key update;
  if p_begins then
    -- a row that does not exist cannot be locked: without it, the first orders of an operator would
    -- not see each other
    insert into exposures (operator_id, external_user_id)
    select distinct command.operator_id, '' from unnest(p_orders, p_effects) command
    where command.begins order by 1 on conflict do nothing;
  end if;
  if p_begins or p_exposes then
    perform 1 from exposures exposure
    where (exposure.operator_id, exposure.external_user_id) in (
      select command.operator_id, '' from unnest(p_orders, p_effects) command
      where command.exposure_minor <> 0 or command.begins)
    order by exposure.operator_id for update;
  end if;
end $$;

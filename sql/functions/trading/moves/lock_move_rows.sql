-- Takes the locks that move_orders needs before it checks anything: the customers' rows, then the
-- operators' totals of exposure, each kind in one global order. The operators' ledgers follow
-- last, in append_to_journal. Runs under the planner settings of its caller.
create or replace function lock_move_rows(p_operator_id text, p_orders order_row[],
  p_effects order_effects[], p_begins boolean, p_exposes boolean
) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  perform 1 from unnest(p_orders) command
    join customers customer on customer.operator_id = coalesce(v_operator, command.operator_id)
      and customer.external_user_id = command.external_user_id
  order by customer.operator_id, customer.external_user_id for no key update of customer;
  if p_begins then
    -- a row that does not exist cannot be locked: without it, the first orders of an operator would
    -- not see each other
    insert into exposures (operator_id, external_user_id)
    select distinct command.operator_id, '' from unnest(p_orders, p_effects) command
    where command.begins order by 1 on conflict do nothing;
  end if;
  if p_begins or p_exposes then
    perform 1 from (select distinct command.operator_id from unnest(p_orders, p_effects) command
        where command.exposure_minor <> 0 or command.begins) command
      join exposures exposure on exposure.operator_id = coalesce(v_operator, command.operator_id)
        and exposure.external_user_id = ''
    order by exposure.operator_id for update of exposure;
  end if;
end $$;

-- By how much each transition of a batch changes the exposure, in the order of the commands. It
-- reads the positions before they move: a fee that is taken back, or that arrives after the
-- contracts were sold, is no exposure of what is still held. Runs under the planner settings of its
-- caller.
create or replace function exposure_changes(p_operator_id text, p_orders order_row[],
  p_effects order_effects[]) returns bigint[] language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_changes bigint[];
begin
  select array_agg(command.exposure_minor + case
      when command.add_quantity > 0 and command.add_fees_minor < 0
        then greatest(0, -command.add_fees_minor - coalesce((
          select position.entry_fees_minor from positions position
          where position.operator_id = coalesce(v_operator, command.operator_id)
            and position.external_user_id = command.external_user_id
            and position.contract_id = command.contract_id and position.side = command.side
            and position.simulated = command.simulated and position.status = 'open'), 0))
      when coalesce(command.add_quantity, 0) = 0 and command.add_cost_minor <> 0 and exists (
          select from positions position
          where position.operator_id = coalesce(v_operator, command.operator_id)
            and position.position_id = command.position_id and position.status <> 'open')
        then -command.add_cost_minor
      else 0 end order by command.ordinality)
  into v_changes
  from unnest(p_orders, p_effects) with ordinality command;
  return v_changes;
end $$;

-- By how much each move of a batch changes the exposure, in the places of the moves' numbers. It
-- reads the positions before they move: a fee that is taken back, or that arrives after the
-- contracts were sold, is no exposure of what is still held. Runs under the planner settings of its
-- caller.
create or replace function exposure_changes(p_moves order_move[]) returns bigint[] language plpgsql
as $$
declare
  v_changes bigint[];
begin
  select array_agg(move.exposure_minor + case
      when move.add_quantity > 0 and move.add_fees_minor < 0
        then greatest(0, -move.add_fees_minor - coalesce((
          select position.entry_fees_minor from positions position
          where position.operator_id = order_row.operator_id
            and position.external_user_id = order_row.external_user_id
            and position.contract_id = order_row.contract_id and position.side = order_row.side
            and position.simulated = order_row.simulated and position.status = 'open'), 0))
      when coalesce(move.add_quantity, 0) = 0 and move.add_cost_minor <> 0 and exists (
          select from positions position
          where position.operator_id = order_row.operator_id
            and position.position_id = order_row.position_id and position.status <> 'open')
        then -move.add_cost_minor
      else 0 end order by move.number)
  into v_changes
  from unnest(p_moves) move
    left join orders order_row on order_row.operator_id = move.operator_id
      and order_row.order_id = move.order_id;
  return v_changes;
end $$;

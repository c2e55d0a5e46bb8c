-- Why a sell cannot have the contracts that it wants of its position, or null. `position_changed`
-- asks the caller to decide again. Runs under the planner settings of its caller.
create or replace function exit_refusal(p_order orders, p_position_version bigint) returns text
language plpgsql stable as $$
declare
  v_position record;
  v_free bigint;
begin
  select open.quantity - open.held_quantity as free, open.version into v_position
  from positions open
  where open.operator_id = p_order.operator_id and open.position_id = p_order.position_id
    and open.simulated = p_order.simulated and open.status = 'open';
  if not found or v_position.free < p_order.quoted_quantity then
    return 'insufficient_position';
  end if;
  if not p_order.simulated then
    select holding.quantity - holding.held_quantity into v_free from position_holdings holding
    where holding.operator_id = p_order.operator_id
      and holding.position_id = p_order.position_id and holding.venue = p_order.venue;
    if coalesce(v_free, 0) < p_order.quoted_quantity then
      return 'insufficient_position';
    end if;
  end if;
  if v_position.version <> p_position_version then
    return 'position_changed';
  end if;
  return null;
end $$;

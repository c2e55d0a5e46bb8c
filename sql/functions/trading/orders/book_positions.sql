-- What accepted orders do to positions: a filled buy opens or extends one, a filled sell reduces or
-- closes one, and a sell that goes to a venue holds contracts back. Returns the position of each
-- command in the places of their numbers, up to p_count. Runs under the planner settings of its
-- caller.
create or replace function book_positions(
  p_commands order_command[], p_placed_at timestamptz, p_count integer, p_sells boolean
) returns text[] language plpgsql as $$
declare
  v_position_ids text[];
begin
  with bought as (
    insert into positions as position (operator_id, position_id, external_user_id, contract_id,
      side, simulated, quantity, cost_basis_minor, entry_fees_minor, price_weight,
      average_price_micros, opened_at, updated_at)
    select command.operator_id, command.position_id, command.external_user_id, command.contract_id,
      command.side, command.simulated, command.filled_quantity, command.debit_minor,
      command.platform_fee_minor + command.venue_fee_minor,
      command.filled_quantity::numeric * command.fill_price_micros,
      command.fill_price_micros, p_placed_at, p_placed_at
    from unnest(p_commands) command where command.action = 'buy' and command.filled_quantity > 0
    on conflict (operator_id, external_user_id, contract_id, side, simulated) where status = 'open'
    do update set
      quantity = position.quantity + excluded.quantity,
      cost_basis_minor = position.cost_basis_minor + excluded.cost_basis_minor,
      entry_fees_minor = position.entry_fees_minor + excluded.entry_fees_minor,
      price_weight = position.price_weight + excluded.price_weight,
      average_price_micros = average_price(
        position.price_weight + excluded.price_weight, position.quantity + excluded.quantity),
      updated_at = excluded.updated_at, version = position.version + 1
    returning position.operator_id, position.external_user_id, position.position_id
  ), booked as (
    -- one command of a customer in a batch, so operator and customer name the command
    select command.number,
      coalesce(bought.position_id, case when command.action = 'sell' then command.position_id end)
        as position_id
    from unnest(p_commands) command
      left join bought on bought.operator_id = command.operator_id
        and bought.external_user_id = command.external_user_id
  )
  select array_agg(booked.position_id order by place) into v_position_ids
  from generate_series(1, p_count) place left join booked on booked.number = place;

  if p_sells then
    update positions position set
      quantity = position.quantity - command.filled_quantity,
      held_quantity = position.held_quantity
        + case when command.intent = 'record_intent' then command.quoted_quantity else 0 end,
      cost_basis_minor = position.cost_basis_minor - coalesce(command.cost_share_minor, 0),
      entry_fees_minor = position.entry_fees_minor - coalesce(command.fee_share_minor, 0),
      price_weight = position.price_weight - coalesce(command.weight_share, 0),
      realised_pnl_minor = position.realised_pnl_minor + command.proceeds_minor
        - coalesce(command.cost_share_minor, 0),
      status = case when position.quantity = command.filled_quantity then 'closed' else 'open' end,
      updated_at = p_placed_at, version = position.version + 1
    from unnest(p_commands) command
    where command.action = 'sell' and command.status <> 'rejected'
      and position.operator_id = command.operator_id
      and position.position_id = command.position_id;
    update position_holdings holding
    set held_quantity = holding.held_quantity + command.quoted_quantity
    from unnest(p_commands) command
    where command.action = 'sell' and command.intent = 'record_intent' and not command.simulated
      and holding.operator_id = command.operator_id
      and holding.position_id = command.position_id and holding.venue = command.venue;
  end if;
  return v_position_ids;
end $$;

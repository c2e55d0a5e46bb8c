-- What accepted moves do to positions: a buy opens or extends one, an exit reduces one, and
-- contracts held back for a sell are let go. Live positions also keep how much is held at which
-- venue. Returns the positions that buys went into, in the places of their moves' numbers, up to
-- p_count. Runs under the planner settings of its caller.
create or replace function move_positions(
  p_moves order_move[], p_moved_at timestamptz, p_count integer
) returns text[] language plpgsql as $$
declare
  v_position_ids text[];
begin
  with bought as (
    insert into positions as position (operator_id, position_id, external_user_id, contract_id,
      side, simulated, quantity, cost_basis_minor, entry_fees_minor, realised_pnl_minor,
      price_weight, average_price_micros, opened_at, updated_at)
    select move.operator_id, move.position_id, move.external_user_id, order_row.contract_id,
      order_row.side, order_row.simulated, move.add_quantity,
      move.add_cost_minor + refund.fees_minor, move.add_fees_minor + refund.fees_minor,
      refund.fees_minor, move.add_weight,
      average_price(move.add_weight, move.add_quantity), p_moved_at, p_moved_at
    from unnest(p_moves) move
      join orders order_row on order_row.operator_id = move.operator_id
        and order_row.order_id = move.order_id
      -- The total of an order's fees may fall with its next fill (a fill whose fee is unknown, or
      -- no room left for it). Fees of contracts that were sold meanwhile cannot come off the cost
      -- of what is held, so they are profit.
      cross join lateral (select greatest(0, -move.add_fees_minor) as fees_minor) refund
    where move.add_quantity > 0
    on conflict (operator_id, external_user_id, contract_id, side, simulated) where status = 'open'
    do update set
      quantity = position.quantity + excluded.quantity,
      cost_basis_minor = position.cost_basis_minor + excluded.cost_basis_minor
        - excluded.realised_pnl_minor + greatest(0, excluded.realised_pnl_minor
          - excluded.entry_fees_minor - position.entry_fees_minor),
      entry_fees_minor = greatest(0, position.entry_fees_minor + excluded.entry_fees_minor
        - excluded.realised_pnl_minor),
      realised_pnl_minor = position.realised_pnl_minor + greatest(0, excluded.realised_pnl_minor
        - excluded.entry_fees_minor - position.entry_fees_minor),
      price_weight = position.price_weight + excluded.price_weight,
      average_price_micros = average_price(
        position.price_weight + excluded.price_weight, position.quantity + excluded.quantity),
      updated_at = excluded.updated_at, version = position.version + 1
    returning position.operator_id, position.external_user_id, position.position_id
  ), placed as (
    -- one move of a customer in a batch, so operator and customer name the move
    select move.number, move.operator_id, bought.position_id, move.order_id, move.add_quantity
    from unnest(p_moves) move
      join bought on bought.operator_id = move.operator_id
        and bought.external_user_id = move.external_user_id
    where move.add_quantity > 0
  ), held as (
    insert into position_holdings as holding (operator_id, position_id, venue, quantity)
    select placed.operator_id, placed.position_id, order_row.venue, placed.add_quantity
    from placed
      join orders order_row on order_row.operator_id = placed.operator_id
        and order_row.order_id = placed.order_id
    where not order_row.simulated
    on conflict (operator_id, position_id, venue)
    do update set quantity = holding.quantity + excluded.quantity
  )
  select array_agg(placed.position_id order by place) into v_position_ids
  from generate_series(1, p_count) place left join placed on placed.number = place;

  -- A venue's fee that became known after the fill is part of the cost of what is held, or a loss
  -- if everything was sold meanwhile.
  update positions position set
    cost_basis_minor = position.cost_basis_minor
      + case when position.status = 'open' then move.add_cost_minor else 0 end,
    entry_fees_minor = position.entry_fees_minor
      + case when position.status = 'open' then move.add_fees_minor else 0 end,
    realised_pnl_minor = position.realised_pnl_minor
      - case when position.status = 'open' then 0 else move.add_cost_minor end,
    updated_at = p_moved_at, version = position.version + 1
  from unnest(p_moves) move
    join orders order_row on order_row.operator_id = move.operator_id
      and order_row.order_id = move.order_id
  where coalesce(move.add_quantity, 0) = 0 and move.add_cost_minor <> 0
    and position.operator_id = move.operator_id
    and position.position_id = order_row.position_id;

  update positions position set
    quantity = position.quantity - coalesce(move.take_quantity, 0),
    held_quantity = position.held_quantity - coalesce(move.unhold_quantity, 0),
    cost_basis_minor = position.cost_basis_minor - coalesce(move.cost_share_minor, 0),
    entry_fees_minor = position.entry_fees_minor - coalesce(move.fee_share_minor, 0),
    price_weight = position.price_weight - coalesce(move.weight_share, 0),
    realised_pnl_minor = position.realised_pnl_minor + coalesce(move.add_realised_minor, 0),
    status = case
      when position.quantity = coalesce(move.take_quantity, 0) then 'closed' else 'open' end,
    updated_at = p_moved_at, version = position.version + 1
  from unnest(p_moves) move
    join orders order_row on order_row.operator_id = move.operator_id
      and order_row.order_id = move.order_id and order_row.action = 'sell'
  where (move.take_quantity > 0 or move.unhold_quantity > 0)
    and position.operator_id = move.operator_id
    and position.position_id = order_row.position_id;

  update position_holdings holding set
    quantity = holding.quantity - coalesce(move.take_quantity, 0),
    held_quantity = holding.held_quantity - coalesce(move.unhold_quantity, 0)
  from unnest(p_moves) move
    join orders order_row on order_row.operator_id = move.operator_id
      and order_row.order_id = move.order_id and order_row.action = 'sell'
      and not order_row.simulated
  where (move.take_quantity > 0 or move.unhold_quantity > 0)
    and holding.operator_id = move.operator_id
    and holding.position_id = order_row.position_id and holding.venue = order_row.venue;
  return v_position_ids;
end $$;

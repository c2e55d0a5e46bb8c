-- Writes accepted orders, which spends their quotes: the index orders_quote has one order a quote.
-- The fill of an order that is filled at once is part of its row. Runs under the planner settings
-- of its caller.
create or replace function insert_orders(
  p_commands order_command[], p_position_ids text[], p_placed_at timestamptz
) returns void language plpgsql as $$
begin
  insert into orders (operator_id, order_id, external_user_id, client_order_id, execution_ref,
    quote_id, contract_id, side, action, intent, status, transmission_state, simulated,
    price_micros, slippage_micros, fee_bps, authorization_minor, quoted_fee_minor,
    quoted_trade_minor, quoted_quantity, filled_quantity, price_weight,
    trade_minor, platform_fee_minor, venue_fee_minor, venue_fee_known, debit_minor, release_minor,
    proceeds_minor, counted_stake_minor, position_id, scenario_id, reject_reason, routing_reason,
    considered_venues, venue, armed, reserve_reference, reserve_confirmed_at,
    created_at, updated_at, filled_at_once)
  select command.operator_id, command.order_id, command.external_user_id, command.client_order_id,
    command.execution_ref, command.quote_id, command.contract_id, command.side, command.action,
    command.intent, command.status, command.transmission_state, command.simulated,
    command.price_micros, command.slippage_micros, command.fee_bps, command.authorization_minor,
    command.quoted_fee_minor, command.quoted_trade_minor, command.quoted_quantity,
    command.filled_quantity,
    command.filled_quantity::numeric * coalesce(command.fill_price_micros, 0),
    command.trade_minor, command.platform_fee_minor, command.venue_fee_minor,
    command.venue_fee_known, command.debit_minor, command.release_minor, command.proceeds_minor,
    command.counted_stake_minor, p_position_ids[command.number], command.scenario_id,
    command.reject_reason, command.routing_reason, command.considered_venues, command.venue,
    command.armed, command.reserve_reference,
    case when command.status = 'pending_venue_execution' then p_placed_at end,
    p_placed_at, p_placed_at, command.filled_at_once
  from unnest(p_commands) command;
end $$;

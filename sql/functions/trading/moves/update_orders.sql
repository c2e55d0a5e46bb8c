-- Writes accepted transitions to their orders: everything of an order that may change. Its terms
-- never do. Runs under the planner settings of its caller.
create or replace function update_orders(p_operator_id text, p_orders order_row[],
  p_effects order_effects[], p_codes text[], p_position_ids text[], p_moved_at timestamptz
) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  update orders recorded set
    status = command.status, transmission_state = command.transmission_state,
    filled_quantity = command.filled_quantity, price_weight = command.price_weight,
    trade_minor = command.trade_minor, platform_fee_minor = command.platform_fee_minor,
    venue_fee_minor = command.venue_fee_minor, venue_fee_known = command.venue_fee_known,
    debit_minor = command.debit_minor, release_minor = command.release_minor,
    proceeds_minor = command.proceeds_minor, venue_gain_minor = command.venue_gain_minor,
    counted_stake_minor = command.counted_stake_minor, exited_fills = command.exited_fills,
    position_id = command.moved_position_id, reject_reason = command.reject_reason,
    reserve_reference = command.reserve_reference, cancellation_id = command.cancellation_id,
    cancel_reason = command.cancel_reason,
    reserve_confirmed_at = coalesce(recorded.reserve_confirmed_at,
      case when command.status = 'pending_venue_execution' then p_moved_at end),
    cancelled_at = coalesce(recorded.cancelled_at,
      case when command.cancellation_id is not null then p_moved_at end),
    transmitted_at = case when command.begins then p_moved_at else recorded.transmitted_at end,
    updated_at = p_moved_at, version = recorded.version + 1
  -- the place in an array as a column of its own: Citus cannot write it as a value of an update
  from (select given.*, p_position_ids[given.ordinality] as moved_position_id
    from unnest(p_orders, p_effects) with ordinality given) command
  where p_codes[command.ordinality] is null
    and recorded.operator_id = coalesce(v_operator, command.operator_id)
    and recorded.external_user_id = command.external_user_id
    and recorded.order_id = command.order_id;
end $$;

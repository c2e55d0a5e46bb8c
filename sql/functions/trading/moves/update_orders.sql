-- Writes accepted moves to their orders; null leaves a column as it is. Returns the position of
-- each order in the places of the moves' numbers, up to p_count. p_position_ids has the positions
-- that buys went into. Runs under the planner settings of its caller.
create or replace function update_orders(
  p_moves order_move[], p_position_ids text[], p_moved_at timestamptz, p_count integer
) returns text[] language plpgsql as $$
declare
  v_position_ids text[];
begin
  with updated as (
    update orders order_row set
      status = coalesce(move.status, order_row.status),
      transmission_state = coalesce(move.transmission_state, order_row.transmission_state),
      filled_quantity = coalesce(move.filled_quantity, order_row.filled_quantity),
      price_weight = coalesce(move.price_weight, order_row.price_weight),
      trade_minor = coalesce(move.trade_minor, order_row.trade_minor),
      platform_fee_minor = coalesce(move.platform_fee_minor, order_row.platform_fee_minor),
      venue_fee_minor = coalesce(move.venue_fee_minor, order_row.venue_fee_minor),
      venue_fee_known = coalesce(move.venue_fee_known, order_row.venue_fee_known),
      debit_minor = coalesce(move.debit_minor, order_row.debit_minor),
      release_minor = coalesce(move.release_minor, order_row.release_minor),
      proceeds_minor = coalesce(move.proceeds_minor, order_row.proceeds_minor),
      venue_gain_minor = coalesce(move.venue_gain_minor, order_row.venue_gain_minor),
      counted_stake_minor = coalesce(move.counted_stake_minor, order_row.counted_stake_minor),
      exited_fills = coalesce(move.exited_fills, order_row.exited_fills),
      reject_reason = coalesce(move.reject_reason, order_row.reject_reason),
      reserve_reference = coalesce(move.reserve_reference, order_row.reserve_reference),
      reserve_confirmed_at = case
        when move.confirms then coalesce(order_row.reserve_confirmed_at, p_moved_at)
        else order_row.reserve_confirmed_at end,
      cancellation_id = coalesce(move.cancellation_id, order_row.cancellation_id),
      cancelled_at = case
        when move.cancellation_id is not null then p_moved_at else order_row.cancelled_at end,
      cancel_reason = coalesce(move.cancel_reason, order_row.cancel_reason),
      position_id = coalesce(p_position_ids[move.number], order_row.position_id),
      transmitted_at = case when move.begins then p_moved_at else order_row.transmitted_at end,
      updated_at = p_moved_at, version = order_row.version + 1
    from unnest(p_moves) move
    where order_row.operator_id = move.operator_id and order_row.order_id = move.order_id
    returning move.number, order_row.position_id
  )
  select array_agg(updated.position_id order by place) into v_position_ids
  from generate_series(1, p_count) place left join updated on updated.number = place;
  return v_position_ids;
end $$;

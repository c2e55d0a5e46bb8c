-- Records the attempts that accepted moves begin, before anything is sent: one row an order, with
-- our id at the venue, what is sent, until when the venue may take it, and when to ask about it
-- first. Runs under the planner settings of its caller.
create or replace function begin_attempts(p_moves order_move[], p_moved_at timestamptz)
returns void language plpgsql as $$
begin
  insert into transmissions (operator_id, order_id, our_id, venue, listing_id, side, action,
    quantity, limit_price_micros, max_cost_micros, spend_micros, venue_ref, sent_at, expires_at,
    state, next_lookup_at)
  select move.operator_id, move.order_id, attempt.our_id, attempt.venue, attempt.listing_id,
    attempt.side, attempt.action, attempt.quantity, attempt.limit_price_micros,
    attempt.max_cost_micros, attempt.spend_micros, attempt.venue_ref, p_moved_at,
    coalesce(p_moved_at + make_interval(secs => attempt.valid_seconds), attempt.expires_at),
    move.attempt_state, p_moved_at + make_interval(secs => move.lookup_in_seconds)
  from unnest(p_moves) move
    cross join lateral json_to_record(move.attempt) as attempt(our_id text, venue text,
      listing_id text, side text, action text, quantity bigint, limit_price_micros bigint,
      max_cost_micros bigint, spend_micros bigint, venue_ref text,
      valid_seconds double precision, expires_at timestamptz)
  where move.attempt is not null;
end $$;

-- Records the attempts that accepted transitions begin, before anything is sent: one row an order,
-- with our id at the venue, what is sent, until when the venue may take it, and when to ask about
-- it first. Runs under the planner settings of its caller.
create or replace function begin_attempts(
  p_orders order_row[], p_effects order_effects[], p_codes text[], p_moved_at timestamptz
) returns void language plpgsql as $$
begin
  insert into transmissions (operator_id, order_id, our_id, venue, listing_id, side, action,
    quantity, limit_price_micros, max_cost_micros, spend_micros, venue_ref, sent_at, expires_at,
    state, next_lookup_at)
  select command.operator_id, command.order_id, attempt.our_id, attempt.venue, attempt.listing_id,
    attempt.side, attempt.action, attempt.quantity, attempt.limit_price_micros,
    attempt.max_cost_micros, attempt.spend_micros, attempt.venue_ref, p_moved_at,
    coalesce(p_moved_at + make_interval(secs => attempt.valid_seconds), attempt.expires_at),
    command.attempt_state, p_moved_at + make_interval(secs => command.lookup_in_seconds)
  from unnest(p_orders, p_effects) with ordinality command
    cross join lateral json_to_record(command.attempt) as attempt(our_id text, venue text,
      listing_id text, side text, action text, quantity bigint, limit_price_micros bigint,
      max_cost_micros bigint, spend_micros bigint, venue_ref text,
      valid_seconds double precision, expires_at timestamptz)
  where p_codes[command.ordinality] is null and command.attempt is not null;
end $$;

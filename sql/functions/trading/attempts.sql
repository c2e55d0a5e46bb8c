-- Attempts at venues: the times of look-ups, and the rows that a transmission and its result write.

-- When the next look-up of an attempt is due: at growing intervals, in the first ten minutes at
-- least every 15 seconds and then every minute, the time of the response included, but never later
-- than the moments at which something must be done. Ten seconds after its expiry a working order is
-- cancelled. A minute after its expiry "not found" begins to count; from then on the next look-up
-- follows after five seconds, so that three of them take no longer than they must.
create or replace function next_lookup_at(p_at timestamptz, p_expires_at timestamptz,
  p_lookups integer, p_counted boolean)
returns timestamptz language sql immutable as $$
  select least(
    p_at + case when p_counted then interval '5 seconds'
      else make_interval(secs => least(0.5 * 2 ^ least(p_lookups, 10),
        case when p_at < p_expires_at + interval '570 seconds' then 12 else 55 end)) end,
    case when p_at < p_expires_at + interval '10 seconds'
      then p_expires_at + interval '10.05 seconds'
         when p_at < p_expires_at + interval '60 seconds'
           then p_expires_at + interval '60.05 seconds' end)
$$;

-- Records the attempts that accepted transitions begin, before they are sent: one row per order,
-- with our id at the venue, the terms that are sent, until when the venue may take it, and the time
-- of the first look-up.
create or replace function begin_attempts(
  p_orders order_row[], p_effects order_effects[], p_codes text[], p_moved_at timestamptz
) returns void language plpgsql as $$
begin
  insert into transmissions (operator_id, order_id, our_id, venue, listing_id, side, action,
    quantity_micros, limit_price_micros, spend_micros, venue_ref, venue_terms, sent_at,
    expires_at, state, next_lookup_at)
  select command.operator_id, command.order_id, attempt.our_id, attempt.venue, attempt.listing_id,
    attempt.side, attempt.action, attempt.quantity_micros, attempt.limit_price_micros,
    attempt.spend_micros, attempt.venue_ref, attempt.venue_terms,
    p_moved_at,
    p_moved_at + make_interval(secs => attempt.valid_seconds),
    command.attempt_state, p_moved_at + make_interval(secs => command.lookup_in_seconds)
  from unnest(p_orders, p_effects) with ordinality command
    cross join lateral json_to_record(command.attempt) as attempt(our_id text, venue text,
      listing_id text, side text, action text, quantity_micros bigint, limit_price_micros bigint,
      spend_micros bigint, venue_ref text, venue_terms text,
      valid_seconds integer)
  where p_codes[command.ordinality] is null and command.attempt is not null;
end $$;

-- Records the venue's own id of the order of an attempt, which names it there from then on. Returns
-- whether the attempt has this id now: not if it has another one, or if the order is that of
-- another attempt. Locks: an advisory lock, because attempts of two operators may have sent the
-- same, and no key of the table covers all operators.
create or replace function name_attempt(p_operator_id text, p_order_id text, p_venue text,
  p_venue_ref text) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('name_attempt ' || p_venue, 0));
  if exists (select 1 from transmissions attempt
      where attempt.venue_ref = p_venue_ref and attempt.venue = p_venue
        and (attempt.operator_id <> p_operator_id or attempt.order_id <> p_order_id)) then
    return false;
  end if;
  update transmissions attempt set venue_ref = p_venue_ref
  where attempt.operator_id = p_operator_id and attempt.order_id = p_order_id
    and attempt.venue_ref is null;
  return exists (select 1 from transmissions attempt
    where attempt.operator_id = p_operator_id and attempt.order_id = p_order_id
      and attempt.venue_ref = p_venue_ref);
end $$;

-- Records the results of look-ups of attempts: their state, the number of look-ups, and the time of
-- the next.
create or replace function record_answers(
  p_operator_id text, p_orders order_row[], p_effects order_effects[], p_codes text[],
  p_moved_at timestamptz
) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  update transmissions attempt set
    state = command.attempt_state, lookups = attempt.lookups + 1,
    not_found = coalesce(command.attempt_not_found, 0),
    answered_at = case when command.attempt_state in ('working', 'reading_fee', 'done')
      then coalesce(attempt.answered_at, p_moved_at) else attempt.answered_at end,
    -- an attempt that is done is not looked up again
    next_lookup_at = case when command.attempt_state = 'done' then attempt.next_lookup_at
      else next_lookup_at(p_moved_at, attempt.expires_at, attempt.lookups, false) end
  from unnest(p_orders, p_effects) with ordinality command
  where p_codes[command.ordinality] is null
    and command.attempt is null and command.attempt_state is not null
    and attempt.operator_id = coalesce(v_operator, command.operator_id)
    and attempt.order_id = command.order_id;
end $$;

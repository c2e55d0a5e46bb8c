-- Whether the money of an order is still held: the states that the API reports as `pending`
-- (contract 12.16).
create or replace function is_open_order(p_status text, p_transmission_state text)
returns boolean language sql immutable parallel safe as $$
  select p_status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'pending')
    or (p_status = 'partially_filled' and p_transmission_state <> 'resolved')
$$;

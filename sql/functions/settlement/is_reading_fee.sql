-- Whether fills of the order are recorded while a venue fee of them is still being read: what its
-- position cost may change.
create or replace function is_reading_fee(p_status text, p_transmission_state text)
returns boolean language sql immutable parallel safe as $$
  select p_status = 'partially_filled' and p_transmission_state = 'unknown'
$$;

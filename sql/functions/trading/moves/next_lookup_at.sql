-- When a venue is asked next about an attempt: at growing intervals, in the first ten minutes at
-- least every 15 seconds and then every minute, the answer's own time included, but never later
-- than the moments at which something must be done. Ten seconds after its expiry a working order is
-- cancelled. A minute after its expiry "not found" begins to count; from then on the next question
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

-- Whether requests that were counted in advance until then may still be given back. A process that
-- lets a lease end says at once what is left of it; one that has not for a quarter of a second is
-- gone, and what it did not use counts as used in this minute.
create or replace function is_leased(p_until timestamptz, p_moment timestamptz)
returns boolean language sql immutable as $$
  select p_until > p_moment - interval '250 milliseconds'
$$;

-- Millionths as the JSON number of the wire: exact, without trailing zeros.
create or replace function micro_number(micros numeric) returns numeric language sql immutable parallel safe as $$
  select trim_scale(micros / 1000000)
$$;

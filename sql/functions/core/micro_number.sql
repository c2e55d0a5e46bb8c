-- A number of millionths as the JSON number of the API: exact, without trailing zeros.
create or replace function micro_number(p_micros numeric)
returns numeric language sql immutable parallel safe as $$
  select trim_scale(p_micros / 1000000)
$$;

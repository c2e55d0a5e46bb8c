-- A sheet would run a cell that starts like a formula; a signed decimal is one in looks only and stays as it is.
create or replace function escape_formula(cell text) returns text language sql immutable parallel safe as $$
  select case when ascii(cell) in (9, 10, 13, 43, 45, 61, 64, 65291, 65293, 65309, 65312) and cell !~ '^-?[0-9]+(\.[0-9]+)?$'
    then '''' || cell else cell end
$$;

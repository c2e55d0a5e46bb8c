-- A sheet would run a cell that starts like a formula; a signed decimal is one in looks only and
-- stays as it is. A spreadsheet may use another separator than the file, so what follows a
-- separator inside a cell counts as a start as well.
create or replace function escape_formula(p_cell text)
returns text language sql immutable parallel safe as $$
  select case
    when p_cell !~ '(^|[,;|\t\r\n])[=+@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20-]'
      or p_cell ~ '^-?[0-9]+(\.[0-9]+)?$' then p_cell
    else regexp_replace(p_cell, '(^|[,;|\t\r\n])([=+@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20-])', '\1''\2',
      'g') end
$$;

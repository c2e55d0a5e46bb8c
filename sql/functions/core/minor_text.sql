-- Cents as the decimal string of the API: -5 is -0.05.
create or replace function minor_text(p_minor numeric)
returns text language sql immutable parallel safe as $$
  select case when p_minor < 0 then '-' else '' end || div(abs(p_minor), 100)::text || '.'
    || lpad(mod(abs(p_minor), 100)::text, 2, '0')
$$;

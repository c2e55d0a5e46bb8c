-- Cents as the decimal string of the wire: -5 reads -0.05.
create or replace function minor_text(minor numeric) returns text language sql immutable parallel safe as $$
  select case when minor < 0 then '-' else '' end || div(abs(minor), 100)::text || '.' || lpad(mod(abs(minor), 100)::text, 2, '0')
$$;

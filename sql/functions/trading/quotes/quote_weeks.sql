-- The weeks of quotes that have a table of their own: its name and when the week begins, Monday in UTC.
create or replace function quote_weeks() returns table (name text, from_at timestamptz) language sql stable as $$
  select c.relname::text, right(c.relname, 8)::date::timestamp at time zone 'UTC'
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'quotes'::regclass and c.relname ~ '^quotes_\d{8}$'
$$;

-- No quote made at that moment or later has a smaller id: ids begin with the milliseconds.
create or replace function quote_id_at(p_moment timestamptz) returns text language sql immutable as $$
  select 'qt_' || lpad(to_hex((extract(epoch from p_moment) * 1000)::bigint), 12, '0')
$$;

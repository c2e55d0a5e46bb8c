-- The weeks of quotes that have a partition of their own: its name, and the Monday in UTC on which
-- the week begins.
create or replace function quote_weeks()
returns table (name text, from_at timestamptz) language sql stable as $$
  select partition.relname::text, right(partition.relname, 8)::date::timestamp at time zone 'UTC'
  from pg_inherits child join pg_class partition on partition.oid = child.inhrelid
  where child.inhparent = 'quotes'::regclass and partition.relname ~ '^quotes_\d{8}$'
$$;

-- No quote made at that moment or later has a smaller id: ids begin with the milliseconds.
create or replace function quote_id_at(p_moment timestamptz)
returns text language sql immutable as $$
  select 'qt_' || lpad(to_hex((extract(epoch from p_moment) * 1000)::bigint), 12, '0')
$$;

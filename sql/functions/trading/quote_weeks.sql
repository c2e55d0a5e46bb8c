-- Quotes by the week: ids of a moment, partitions, and the removal of old quotes.

-- The weeks of quotes that have a partition: its name, and the Monday in UTC on which the week
-- begins.
create or replace function quote_weeks()
returns table (name text, from_at timestamptz) language sql stable as $$
  select partition.relname::text, right(partition.relname, 8)::date::timestamp at time zone 'UTC'
  from pg_inherits child join pg_class partition on partition.oid = child.inhrelid
  where child.inhparent = 'quotes'::regclass and partition.relname ~ '^quotes_\d{8}$'
$$;

-- No quote made at that moment or later has a smaller id.
create or replace function quote_id_at(p_moment timestamptz)
returns text language sql immutable as $$
  select id_at('qt', p_moment)
$$;

-- Drops the quotes of a week that ended longer ago than p_keep, and never earlier than a day after
-- its end: an order has every term of the quote that it took. Only the owner may drop tables, so
-- the function runs with the owner's rights. Returns false if there is no such partition.
create or replace function drop_quote_week(p_week timestamptz, p_keep interval)
returns boolean language plpgsql security definer
-- The search path is fixed, because the function runs with the owner's rights. The lock timeout is
-- short, because trading would queue up behind a drop that waits.
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  v_table text;
begin
  select week.name into v_table from quote_weeks() week
  where week.from_at = p_week and week.from_at + interval '7 days' < now()
    - greatest(p_keep, interval '1 day');
  if v_table is null
    or not pg_try_advisory_xact_lock(hashtextextended('drop_quote_week', 0)) then
    return false;
  end if;
  execute format('drop table %I', v_table);
  return true;
end $$;

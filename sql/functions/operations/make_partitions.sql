-- Creates upcoming partitions: one for next week's quotes, and, until facts are kept by month
-- (begin_fact_month), one for the next hundred million positions of feed and ledger as soon as an
-- operator has used half of the last. Rows that were written before their partition existed are in
-- the default partition and stay there; the new partition then begins a little after them. Only the
-- owner may create tables, so the function runs with the owner's rights and takes no argument. If a
-- lock is taken, for example by a long dump, it fails and the caller retries later.
create or replace function make_partitions() returns text[] language plpgsql security definer
-- The search path is fixed, because the function runs with the owner's rights. The lock timeout is
-- short, because trading would queue up behind a lock that waits.
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  v_span constant bigint := 100000000;
  -- more than all operators together record while the table is being made
  v_margin constant bigint := 1000000;
  v_made text[] := '{}';
  v_week timestamptz;
  v_begin timestamptz;
  v_parent text;
  v_name text;
  v_number bigint;
  v_from bigint;
  v_newest bigint;
  v_late boolean;
  v_by_month boolean := exists (select 1 from fact_months);
begin
  if not pg_try_advisory_xact_lock(hashtextextended('make_partitions', 0)) then
    return v_made;
  end if;
  for v_ahead in 0..1 loop
    v_week := date_trunc('week', now(), 'UTC') + v_ahead * interval '7 days';
    v_name := 'quotes_' || to_char(v_week at time zone 'UTC', 'YYYYMMDD');
    continue when to_regclass(v_name) is not null;
    select exists (select 1 from quotes_rest
      where quote_id >= quote_id_at(v_week)
      and quote_id < quote_id_at(v_week + interval '7 days')) into v_late;
    v_begin := case when v_late then greatest(
      v_week, date_trunc('hour', clock_timestamp()) + interval '2 hours') else v_week end;
    if v_begin < v_week + interval '7 days' and not exists (select 1 from quotes_rest
        where quote_id >= quote_id_at(v_begin)
          and quote_id < quote_id_at(v_week + interval '7 days')) then
      execute format(
        'create table %I partition of quotes for values from (%L) to (%L)',
        v_name, quote_id_at(v_begin), quote_id_at(v_week + interval '7 days'));
      v_made := v_made || v_name;
    end if;
  end loop;

  foreach v_parent in array array['feed_item_rows', 'ledger_entries'] loop
    select max(substring(partition.relname from '\d+$')::bigint) + 1 into v_number
    from pg_inherits child join pg_class partition on partition.oid = child.inhrelid
    where child.inhparent = (v_parent || '_before')::regclass
      and partition.relname ~ ('^' || v_parent || '_\d+$');
    -- table n holds the positions below n * span_; one that would begin at its end is not made, and
    -- the next is looked at
    while not v_by_month and exists (select 1 from operator_counters
      where feed_position > (v_number - 1) * v_span - v_span / 2) loop
      execute format('select max(position) from %I where position >= %s and position < %s',
        v_parent || '_rest', (v_number - 1) * v_span, v_number * v_span) into v_newest;
      v_from := coalesce((v_newest / v_margin + 2) * v_margin, (v_number - 1) * v_span);
      if v_from < v_number * v_span then
        v_name := v_parent || '_' || v_number;
        execute format('create table %I partition of %I for values from (%s) to (%s)', v_name,
          v_parent || '_before', v_from, v_number * v_span);
        -- a truncate of one partition does not fire the trigger of the whole
        execute format('create trigger %I before truncate on %I '
          'for each statement execute function refuse_change()', v_name || '_keep', v_name);
        v_made := v_made || v_name;
      end if;
      v_number := v_number + 1;
    end loop;
  end loop;
  return v_made;
end $$;

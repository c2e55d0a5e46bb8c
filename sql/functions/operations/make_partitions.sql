-- Creates upcoming partitions of quotes: that of this week and of the next. Quotes that were issued
-- before their partition existed are in the default partition and stay there; the new partition
-- then begins a little after them. Only the owner may create tables, so the function runs with the
-- owner's rights and takes no argument. If a lock is taken, for example by a long dump, it fails
-- and the caller retries later.
create or replace function make_partitions() returns text[] language plpgsql security definer
-- The search path is fixed, because the function runs with the owner's rights. The lock timeout is
-- short, because trading would queue up behind a lock that waits.
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  v_made text[] := '{}';
  v_week timestamptz;
  v_begin timestamptz;
  v_name text;
  v_late boolean;
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
  return v_made;
end $$;

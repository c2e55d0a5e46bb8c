-- Creates upcoming partitions of the journal and of quotes.

-- Creates upcoming partitions: of quotes those of this week and of the next, of the journal those
-- of this month and of the next (UTC). Rows that came before their partition existed are in the
-- default partition and stay there; the new partition then begins a little after them. Only the
-- owner may create tables, so the function runs with the owner's rights and takes no argument. If a
-- lock is taken, for example by a long dump, it fails and the caller retries later. An `exists`
-- over all operators has a column, because Citus executes none without one.
create or replace function make_partitions() returns text[] language plpgsql security definer
-- The search path is fixed, because the function runs with the owner's rights. The lock timeout is
-- short, because trading would queue up behind a lock that waits.
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  v_made text[] := '{}';
  v_soon timestamptz := date_trunc('hour', clock_timestamp()) + interval '2 hours';
  v_from timestamptz;
  v_to timestamptz;
  v_begin timestamptz;
  v_name text;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('make_partitions', 0)) then
    return v_made;
  end if;
  for v_ahead in 0..1 loop
    v_from := (date_trunc('month', now() at time zone 'UTC') + v_ahead * interval '1 month')
      at time zone 'UTC';
    v_to := (v_from at time zone 'UTC' + interval '1 month') at time zone 'UTC';
    v_name := 'journal_' || to_char(v_from at time zone 'UTC', 'YYYYMM');
    continue when to_regclass(v_name) is not null;
    v_begin := case when exists (select 1 from journal_rest where recorded_at >= v_from
      and recorded_at < v_to) then greatest(v_from, v_soon) else v_from end;
    if v_begin < v_to and not exists (select 1 from journal_rest where recorded_at >= v_begin
      and recorded_at < v_to) then
      -- Attached, because that lets trading go on meanwhile. The triggers of rows come with it.
      execute format('create table %I (like journal including all)', v_name);
      execute format('create trigger %I before truncate on %I for each statement '
        'execute function refuse_change()', v_name || '_keep', v_name);
      execute format('alter table %I enable row level security', v_name);
      execute format('alter table journal attach partition %I for values from (%L) to (%L)',
        v_name, v_begin, v_to);
      v_made := v_made || v_name;
    end if;
  end loop;
  for v_ahead in 0..1 loop
    v_from := date_trunc('week', now(), 'UTC') + v_ahead * interval '7 days';
    v_to := v_from + interval '7 days';
    v_name := 'quotes_' || to_char(v_from at time zone 'UTC', 'YYYYMMDD');
    continue when to_regclass(v_name) is not null;
    v_begin := case when exists (select 1 from quotes_rest where quote_id >= quote_id_at(v_from)
      and quote_id < quote_id_at(v_to)) then greatest(v_from, v_soon) else v_from end;
    if v_begin < v_to and not exists (select 1 from quotes_rest
      where quote_id >= quote_id_at(v_begin) and quote_id < quote_id_at(v_to)) then
      execute format('create table %I partition of quotes for values from (%L) to (%L)',
        v_name, quote_id_at(v_begin), quote_id_at(v_to));
      v_made := v_made || v_name;
    end if;
  end loop;
  return v_made;
end $$;

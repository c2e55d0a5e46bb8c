-- The number of the month of a moment, in UTC.
create or replace function fact_month_at(p_at timestamptz) returns integer language sql immutable
as $$
  select extract(year from p_at at time zone 'UTC')::integer * 12
    + extract(month from p_at at time zone 'UTC')::integer
$$;

-- Begins a month of feed and ledger: makes its partitions, writes down the first position of each
-- operator in it, and lets every fact from now on go there. The locks wait for all statements that
-- record facts, so what was recorded before is committed and in an earlier month, and nothing is
-- recorded meanwhile. Returns the suffix of the partitions, or null if that month or a later one
-- has begun. Only the owner can call it. Raises 55P03 if a table is in use for longer than the
-- lock timeout.
create or replace function open_fact_month(p_month integer) returns text language plpgsql
-- The search path is fixed, because begin_fact_month calls it with the owner's rights. The lock
-- timeout is short, because trading would queue up behind a lock that waits.
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  v_suffix constant text :=
    to_char(make_date((p_month - 1) / 12, (p_month - 1) % 12 + 1, 1), 'YYYYMM');
  v_parent text;
  v_key text;
begin
  if exists (select 1 from fact_months where month >= p_month) then
    return null;
  end if;
  -- in the order in which record_facts writes to them
  lock table only ledger_entries, only feed_item_rows in access exclusive mode;
  if exists (select 1 from fact_months where month >= p_month) then
    return null;
  end if;
  for v_parent, v_key in values ('ledger_entries', 'operator_id, position'),
      ('feed_item_rows', 'operator_id, position') loop
    execute format('create table %I partition of %I (primary key (%s)) for values in (%s)',
      v_parent || '_' || v_suffix, v_parent, v_key, p_month);
    -- a truncate of one partition does not fire the trigger of the whole
    execute format('create trigger %I before truncate on %I '
      'for each statement execute function refuse_change()',
      v_parent || '_' || v_suffix || '_keep', v_parent || '_' || v_suffix);
    execute format('alter table only %I alter column fact_month set default %s', v_parent, p_month);
  end loop;
  insert into fact_months (month, suffix) values (p_month, v_suffix);
  insert into fact_month_starts (operator_id, month, first_position)
  select counter.operator_id, p_month, counter.feed_position + 1 from operator_counters counter
  where counter.feed_position > 0;
  return v_suffix;
end $$;

-- Begins the running month, once the owner has begun a first one (inlay ledger months begin). Only
-- the owner may create tables, so it runs with the owner's rights and takes no argument. The number
-- of a month is year * 12 + month.
create or replace function begin_fact_month() returns text language sql security definer
-- The search path is fixed, because the function runs with the owner's rights.
set search_path = public, pg_temp as $$
  select open_fact_month(fact_month_at(now())) where exists (select 1 from fact_months)
$$;

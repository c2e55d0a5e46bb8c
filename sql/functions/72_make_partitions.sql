-- Makes the tables that rows to come will go to: a week of quotes after the running one, and the next hundred million
-- positions of feed and ledger once an operator is half through the last. Rows that came before their table stay in the default one.
-- Only the owner may make tables, so it runs with the owner's rights and takes nothing in. It waits for no lock that would
-- hold trading up behind it: a dump that runs for hours makes it fail, and it comes again.
create or replace function make_partitions() returns text[] language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  span_ constant bigint := 100000000;
  made_ text[] := '{}';
  week_ timestamptz;
  parent_ text;
  name_ text;
  last_ bigint;
  taken_ boolean;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('make_partitions', 0)) then
    return made_;
  end if;
  for ahead_ in 0..1 loop
    week_ := date_trunc('week', now(), 'UTC') + ahead_ * interval '7 days';
    name_ := 'quotes_' || to_char(week_ at time zone 'UTC', 'YYYYMMDD');
    if to_regclass(name_) is null and not exists (select 1 from quotes_rest
        where quote_id >= quote_id_at(week_) and quote_id < quote_id_at(week_ + interval '7 days')) then
      execute format('create table %I partition of quotes for values from (%L) to (%L) with (fillfactor = 80)',
        name_, quote_id_at(week_), quote_id_at(week_ + interval '7 days'));
      made_ := made_ || name_;
    end if;
  end loop;

  foreach parent_ in array array['feed_items', 'ledger_entries', 'ledger_lines'] loop
    select max(substring(c.relname from '\d+$')::bigint) into last_
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent_::regclass and c.relname ~ ('^' || parent_ || '_\d+$');
    if not exists (select 1 from operator_counters where feed_position > last_ * span_ - span_ / 2) then
      continue;
    end if;
    execute format('select exists (select 1 from %I where position >= %s and position < %s)',
      parent_ || '_rest', last_ * span_, (last_ + 1) * span_) into taken_;
    if not taken_ then
      name_ := parent_ || '_' || last_ + 1;
      execute format('create table %I partition of %I for values from (%s) to (%s)', name_, parent_, last_ * span_, (last_ + 1) * span_);
      -- a truncate of one partition does not fire the trigger of the whole
      execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()', name_ || '_keep', name_);
      made_ := made_ || name_;
    end if;
  end loop;
  return made_;
end $$;

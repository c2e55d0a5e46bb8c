-- Makes the tables that rows to come will go to: a week of quotes after the running one, and the next hundred million
-- positions of feed and ledger once an operator is half through the last. Rows that came before their table are in the default
-- table and stay there; the table that is made then begins a little after them, so that a late one is made all the same.
-- Only the owner may make tables, so it runs with the owner's rights and takes nothing in. It waits for no lock that would
-- hold trading up behind it: a dump that runs for hours makes it fail, and it is tried again.
create or replace function make_partitions() returns text[] language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  span_ constant bigint := 100000000;
  -- more than all operators together record while the table is being made
  margin_ constant bigint := 1000000;
  made_ text[] := '{}';
  week_ timestamptz;
  begin_ timestamptz;
  parent_ text;
  name_ text;
  number_ bigint;
  from_ bigint;
  newest_ bigint;
  late_ boolean;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('make_partitions', 0)) then
    return made_;
  end if;
  for ahead_ in 0..1 loop
    week_ := date_trunc('week', now(), 'UTC') + ahead_ * interval '7 days';
    name_ := 'quotes_' || to_char(week_ at time zone 'UTC', 'YYYYMMDD');
    continue when to_regclass(name_) is not null;
    select exists (select 1 from quotes_rest where quote_id >= quote_id_at(week_) and quote_id < quote_id_at(week_ + interval '7 days')) into late_;
    begin_ := case when late_ then greatest(week_, date_trunc('hour', clock_timestamp()) + interval '2 hours') else week_ end;
    if begin_ < week_ + interval '7 days' and not exists (select 1 from quotes_rest
        where quote_id >= quote_id_at(begin_) and quote_id < quote_id_at(week_ + interval '7 days')) then
      execute format('create table %I partition of quotes for values from (%L) to (%L) with (fillfactor = 80)',
        name_, quote_id_at(begin_), quote_id_at(week_ + interval '7 days'));
      made_ := made_ || name_;
    end if;
  end loop;

  foreach parent_ in array array['feed_items', 'ledger_entries', 'ledger_lines'] loop
    select max(substring(c.relname from '\d+$')::bigint) + 1 into number_
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent_::regclass and c.relname ~ ('^' || parent_ || '_\d+$');
    -- table n holds the positions below n * span_; one that would begin at its end is not made, and the next is looked at
    while exists (select 1 from operator_counters where feed_position > (number_ - 1) * span_ - span_ / 2) loop
      execute format('select max(position) from %I where position >= %s and position < %s',
        parent_ || '_rest', (number_ - 1) * span_, number_ * span_) into newest_;
      from_ := coalesce((newest_ / margin_ + 2) * margin_, (number_ - 1) * span_);
      if from_ < number_ * span_ then
        name_ := parent_ || '_' || number_;
        execute format('create table %I partition of %I for values from (%s) to (%s)', name_, parent_, from_, number_ * span_);
        -- a truncate of one partition does not fire the trigger of the whole
        execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()', name_ || '_keep', name_);
        made_ := made_ || name_;
      end if;
      number_ := number_ + 1;
    end loop;
  end loop;
  return made_;
end $$;

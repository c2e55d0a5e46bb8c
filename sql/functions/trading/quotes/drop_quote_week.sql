-- Drops the quotes of one week that ended longer ago than p_keep, and than a day whatever is asked. Only the owner may, so it
-- runs with the owner's rights; whoever calls it, a quote that an order spent and that is not kept elsewhere makes it fail.
-- As in make_partitions, it waits for no lock that trading would queue behind.
create or replace function drop_quote_week(p_week timestamptz, p_keep interval) returns boolean language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  table_ text;
  lost_ bigint;
begin
  select w.name into table_ from quote_weeks() w
  where w.from_at = p_week and w.from_at + interval '7 days' < now() - greatest(p_keep, interval '1 day');
  if table_ is null or not pg_try_advisory_xact_lock(hashtextextended('drop_quote_week', 0)) then
    return false;
  end if;
  execute format('select count(*) from %I q where q.spent_by is not null
    and not exists (select 1 from kept_quotes k where k.operator_id = q.operator_id and k.quote_id = q.quote_id)', table_) into lost_;
  if lost_ > 0 then
    raise exception '% holds % quotes that an order spent and that are not kept', table_, lost_;
  end if;
  execute format('drop table %I', table_);
  return true;
end $$;

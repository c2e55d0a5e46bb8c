-- Drops the quotes of a week that ended longer ago than p_keep, and never earlier than a day after
-- its end. Only the owner may drop tables, so it runs with the owner's rights; it fails if the week
-- contains a quote that an order spent and that is not in kept_quotes. Returns false if there is
-- nothing to drop.
create or replace function drop_quote_week(p_week timestamptz, p_keep interval)
returns boolean language plpgsql security definer
-- The search path is fixed, because the function runs with the owner's rights. The lock timeout is
-- short, because trading would queue up behind a drop that waits.
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  v_table text;
  v_lost bigint;
begin
  select week.name into v_table from quote_weeks() week
  where week.from_at = p_week and week.from_at + interval '7 days' < now()
    - greatest(p_keep, interval '1 day');
  if v_table is null
    or not pg_try_advisory_xact_lock(hashtextextended('drop_quote_week', 0)) then
    return false;
  end if;
  execute format('select count(*) from %I quote where exists (select 1 from orders order_row
      where order_row.operator_id = quote.operator_id and order_row.quote_id = quote.quote_id)
    and not exists (select 1 from kept_quotes kept
      where kept.operator_id = quote.operator_id and kept.quote_id = quote.quote_id)',
    v_table) into v_lost;
  if v_lost > 0 then
    raise exception '% holds % quotes that an order spent and that are not kept', v_table, v_lost;
  end if;
  execute format('drop table %I', v_table);
  return true;
end $$;

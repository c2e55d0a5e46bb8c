-- Quotes by the week: ids of a moment, partitions, and the removal of old quotes.

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

-- Copies the quotes of one week that an order spent into kept_quotes, for good: the columns of the
-- quote and the order. Repeating it copies nothing. The bounds are written into the statement, so
-- that it reads only the partition of that week.
create or replace function keep_spent_quotes(p_week timestamptz)
returns bigint language plpgsql as $$
declare
  v_kept bigint;
begin
  execute format('insert into kept_quotes select quote.*, spender.order_id
    from quotes quote join orders spender on spender.operator_id = quote.operator_id
      and spender.quote_id = quote.quote_id
    where quote.quote_id >= %L and quote.quote_id < %L
    on conflict do nothing',
    quote_id_at(p_week), quote_id_at(p_week + interval '7 days'));
  get diagnostics v_kept = row_count;
  return v_kept;
end $$;

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

-- Empties the default partition of old quotes, the p_most oldest at a time: quotes that an order
-- spent are copied to kept_quotes first. The partition holds quotes that were issued before their
-- week had one. Returns how many it removed.
create or replace function sweep_quotes_rest(p_keep interval, p_most integer)
returns integer language plpgsql as $$
declare
  v_before text := quote_id_at(now() - greatest(p_keep, interval '1 day'));
  v_last text;
  v_removed integer;
begin
  select max(oldest.quote_id) into v_last
  from (select quote.quote_id from quotes_rest quote where quote.quote_id < v_before
    order by quote.quote_id limit p_most) oldest;
  insert into kept_quotes select quote.*, spender.order_id
  from quotes_rest quote join orders spender on spender.operator_id = quote.operator_id
    and spender.quote_id = quote.quote_id
  where quote.quote_id <= v_last
  on conflict do nothing;
  delete from quotes_rest where quote_id <= v_last;
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;

-- One page of an operator's feed: the items joined to one text, the position of the last one, and
-- whether more follow. A page is found by (operator, position) at any depth; a page of some types
-- or of one customer has its own index, so rare items cost as much as frequent ones. `ahead` is
-- true for a cursor behind the last item or of another epoch of the books (p_epoch is null if the
-- cursor names none).
create or replace function read_feed(p_operator_id text, p_after bigint, p_epoch integer,
  p_types text[], p_external_user_id text, p_limit integer)
returns table (known_user boolean, items text, last_position bigint, more boolean, ahead boolean,
  last_sequence bigint, epoch integer) language plpgsql stable parallel safe
-- In the order of an index, so that a page costs the same at any depth: a bitmap scan would first
-- collect everything after the cursor.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
declare
  v_from smallint;
  v_before smallint;
  v_full boolean;
begin
  known_user := p_external_user_id is null or exists (
    select 1 from customers customer
      where customer.operator_id = p_operator_id
      and customer.external_user_id = p_external_user_id);
  if not known_user then
    return next;
    return;
  end if;

  select books.epoch, coalesce(counter.feed_position, 0), p_epoch <> books.epoch
    or p_after > coalesce(counter.feed_position, 0)
  into epoch, last_sequence, ahead
  from books books left join operator_counters counter on counter.operator_id = p_operator_id;
  ahead := coalesce(ahead, false);
  if ahead then
    return next;
    return;
  end if;

  if p_external_user_id is not null or p_types is not null then
    select string_agg(page.text, ',' order by page.n) filter (where page.n <= p_limit),
           max(page.place) filter (where page.n <= p_limit), count(*) > p_limit
    into items, last_position, more
    from (select feed_item_text(p_operator_id, item.position, item.type, item.item_id,
              item.occurred_at, item.external_user_id, item.position_id, item.order_id, item.money,
              item.detail, read_feed.epoch) as text, found.place, found.n
          from (
            select listed.place, listed.month, row_number() over (order by listed.place) as n
            from unnest(coalesce(p_types, array[null::text])) wanted(type)
              cross join lateral feed_positions(p_operator_id, wanted.type, p_external_user_id,
                p_after, p_limit + 1) listed
            order by listed.place limit p_limit + 1) found
          join feed_items item on item.operator_id = p_operator_id
            and item.position = found.place and (item.fact_month = found.month
              or (item.fact_month is null and found.month is null))) page;
    return next;
    return;
  end if;

  select months.p_from, months.p_before into v_from, v_before
  from fact_month_range(p_operator_id, p_after + 1, p_after + p_limit) months;
  loop
    if v_from = 0 then
      select string_agg(page.text, ','), max(page.place), count(*) = p_limit
      into items, last_position, v_full
      from (select feed_item_text(p_operator_id, item.position, item.type, item.item_id,
              item.occurred_at, item.external_user_id, item.position_id, item.order_id, item.money,
              item.detail, read_feed.epoch) as text, item.position as place
            from feed_items item
            where item.operator_id = p_operator_id and item.position > p_after
              and (item.fact_month is null or item.fact_month < v_before)
            order by item.position limit p_limit) page;
    else
      select string_agg(page.text, ','), max(page.place), count(*) = p_limit
      into items, last_position, v_full
      from (select feed_item_text(p_operator_id, item.position, item.type, item.item_id,
              item.occurred_at, item.external_user_id, item.position_id, item.order_id, item.money,
              item.detail, read_feed.epoch) as text, item.position as place
            from feed_items item
            where item.operator_id = p_operator_id and item.position > p_after
              and item.fact_month >= v_from and item.fact_month < v_before
            order by item.position limit p_limit) page;
    end if;
    -- positions are dense, so a page ends before the next month only where items were lost
    exit when v_full or v_before = 32767;
    v_before := 32767;
  end loop;
  more := coalesce(last_position < last_sequence, false);
  return next;
end $$;

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
  v_after bigint := p_after;
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
            select listed.place, listed.head,
              row_number() over (order by listed.place) as n
            from unnest(coalesce(p_types, array[null::text])) wanted(type)
              cross join lateral feed_positions(p_operator_id, wanted.type, p_external_user_id,
                p_after, p_limit + 1) listed
            order by listed.place limit p_limit + 1) found
            cross join lateral item_at(p_operator_id, found.place, found.head) item
          ) page;
    return next;
    return;
  end if;

  loop
    select string_agg(page.text, ','), max(page.place) into items, last_position
    from (select feed_item_text(p_operator_id, item.position, item.type, item.item_id,
            item.occurred_at, item.external_user_id, item.position_id, item.order_id, item.money,
            item.detail, read_feed.epoch) as text, item.position as place
          from items_between(p_operator_id, v_after, v_after + p_limit) item
          order by item.position) page;
    -- positions are dense, so nothing is found only where a whole page of items was lost
    v_after := v_after + p_limit;
    exit when last_position is not null or v_after >= last_sequence;
    v_after := coalesce(least(
      (select min(item.position) from feed_item_rows item
        where item.operator_id = p_operator_id and item.position > v_after),
      (select min(entry.position) from ledger_entries entry
        where entry.operator_id = p_operator_id and entry.position > v_after)) - 1, last_sequence);
  end loop;
  more := coalesce(last_position < last_sequence, false);
  return next;
end $$;

-- One page of an operator's feed: the items joined to one text, and where it ends. A look-up by (operator, position) at any
-- depth; a type or a customer is read by its own index, so rare ones cost the same as frequent ones. A place beyond the last
-- item, or of another epoch of the books (null: of none), is told as `ahead`.
create or replace function read_feed(p_operator_id text, p_after bigint, p_epoch integer, p_types text[], p_external_user_id text, p_limit integer)
returns table (known_user boolean, items text, last_position bigint, more boolean, ahead boolean, last_sequence bigint, epoch integer) language plpgsql stable parallel safe
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  known_user := p_external_user_id is null or exists (
    select 1 from customers c where c.operator_id = p_operator_id and c.external_user_id = p_external_user_id);
  if not known_user then
    return next;
    return;
  end if;

  select b.epoch, coalesce(c.feed_position, 0), p_epoch <> b.epoch or p_after > coalesce(c.feed_position, 0)
  into epoch, last_sequence, ahead
  from books b left join operator_counters c on c.operator_id = p_operator_id;
  ahead := coalesce(ahead, false);
  if ahead then
    return next;
    return;
  end if;

  if p_external_user_id is not null then
    select string_agg(feed_item_text(x.item), ',') filter (where x.n <= p_limit),
           max(x.place) filter (where x.n <= p_limit), count(*) > p_limit
    into items, last_position, more
    from (select f as item, f.position as place, row_number() over (order by f.position) as n from feed_items f
          where f.operator_id = p_operator_id and f.external_user_id = p_external_user_id and f.position > p_after
            and (p_types is null or f.type = any (p_types))
          order by f.position limit p_limit + 1) x;
  elsif p_types is not null then
    select string_agg(feed_item_text(x.item), ',' order by x.n) filter (where x.n <= p_limit),
           max(x.place) filter (where x.n <= p_limit), count(*) > p_limit
    into items, last_position, more
    from (select y.item, (y.item).position as place, row_number() over (order by (y.item).position) as n
          from unnest(p_types) t(type) cross join lateral (
            select f as item from feed_items f where f.operator_id = p_operator_id and f.type = t.type and f.position > p_after
            order by f.position limit p_limit + 1) y
          order by (y.item).position limit p_limit + 1) x;
  else
    select string_agg(feed_item_text(x.item), ',') filter (where x.n <= p_limit),
           max(x.place) filter (where x.n <= p_limit), count(*) > p_limit
    into items, last_position, more
    from (select f as item, f.position as place, row_number() over (order by f.position) as n from feed_items f
          where f.operator_id = p_operator_id and f.position > p_after
          order by f.position limit p_limit + 1) x;
  end if;
  return next;
end $$;

-- What the items after a position are about: the orders, customers and positions whose rows they
-- may have changed, and the accounts of those customers.
create or replace function touched_since(p_operator_id text, p_after bigint)
returns table (orders text[], customers text[], positions text[], accounts text[])
language sql stable parallel safe as $$
  with item as materialized (
    -- items inside a row are about the same as the row
    select item.order_id::text, item.external_user_id, item.position_id::text
    from feed_item_rows item
    where item.operator_id = p_operator_id and item.position > p_after - feed_row_reach()
      and exists (select from places_in_row(null, null, item.following) places
        where item.position + places > p_after)
    union all
    select item.order_id::text, item.external_user_id, null from posted_items item
    where item.operator_id = p_operator_id and item.position > p_after
  ), customer as materialized (
    select item.external_user_id from item where item.external_user_id is not null
    union
    select substring(line.account_id from position(':' in line.account_id) + 1)
    from ledger_lines line
    where line.operator_id = p_operator_id and line.position > p_after
      and (line.account_id like 'wallet:%' or line.account_id like 'hold:%')
  )
  select array(select distinct item.order_id from item where item.order_id is not null),
    array(select customer.external_user_id from customer),
    array(select distinct item.position_id from item where item.position_id is not null),
    array(select kind.prefix || customer.external_user_id from customer
      cross join (values ('wallet:'), ('hold:')) kind(prefix)
      union all select 'collateral:committed')
$$;

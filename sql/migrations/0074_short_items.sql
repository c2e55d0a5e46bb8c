-- The items of an order that is filled as it is recorded are written shortly: their ids have the digits of the order's id under other
-- prefixes, and what follows from the rest of the row is left out. Everything that reads items shows them as before. Numbers and
-- amounts are kept as texts, so that reading computes none. The first item has no id and no money; its detail is a JSON string of the
-- words status, side, action and executionRef, and of a buy the amounts authorized, debited, released, traded and charged, each after
-- a blank, with one at the end. In `following` a line without tabs is short: `f` with quantity and price, `a` with the platform fee
-- and its basis points, `w`.
alter table feed_item_rows alter column item_id drop not null,
  add constraint feed_items_item_id_check check (item_id is not null or (type = 'order.state_changed' and order_id is not null)) not valid;

-- The money of a short first item.
create function short_item_money(p_detail text) returns json language sql stable parallel safe as $$
  select case when split_part(p_detail, ' ', 4) = 'buy' then concat('{"currency":"USD","authorizationAmount":"', split_part(p_detail, ' ', 6),
    '","actualDebit":"', split_part(p_detail, ' ', 7), '","releaseAmount":"', split_part(p_detail, ' ', 8),
    '","tradeAmount":"', split_part(p_detail, ' ', 9), '","platformFee":"', split_part(p_detail, ' ', 10),
    '","venueFee":"0.00","venueFeeKnown":true}')::json end
$$;

-- Its detail.
create function short_item_detail(p_detail text) returns json language sql stable parallel safe as $$
  select concat('{"fromState":null,"toState":"', split_part(p_detail, ' ', 2), '","reason":null,"side":"', split_part(p_detail, ' ', 3),
    '","action":"', split_part(p_detail, ' ', 4), '","orderStatus":"', split_part(p_detail, ' ', 2), '","simulated":true,"executionRef":"',
    split_part(p_detail, ' ', 5), '"}')::json
$$;

-- The first items of all rows.
create view leading_items with (security_invoker = true) as
  select operator_id, position, type, coalesce(item_id, 'chg' || substr(order_id, 4)) collate "default" as item_id, occurred_at,
    external_user_id, position_id, order_id, case when item_id is null then short_item_money(detail::text) else money end as money,
    case when item_id is null then short_item_detail(detail::text) else detail end as detail, fact_month
  from feed_item_rows;

-- `head` is the position of the item whose row has this one.
create or replace view following_items with (security_invoker = true) as
  select head.operator_id, head.position + one.step as position, following_type(left(one.line, 1)) as type,
    case when strpos(one.line, E'\t') > 0 then split_part(one.line, E'\t', 2)
      else case left(one.line, 1) when 'f' then 'fil' when 'a' then 'fee' else 'evn' end || substr(head.order_id, 4) end
      collate "default" as item_id,
    head.occurred_at, head.external_user_id, head.position_id, head.order_id,
    case when strpos(one.line, E'\t') > 0 then nullif(split_part(one.line, E'\t', 3), '')
      when left(one.line, 1) = 'a' then concat('{"currency":"USD","amount":"', split_part(one.line, ' ', 2), '"}') end::json as money,
    case when strpos(one.line, E'\t') > 0 then split_part(one.line, E'\t', 4)
      else case left(one.line, 1)
        when 'f' then concat('{"quantity":', split_part(one.line, ' ', 2), ',"price":', split_part(one.line, ' ', 3),
          ',"side":"', split_part(head.detail::text, ' ', 3), '","executionRef":"', split_part(head.detail::text, ' ', 5), '"}')
        when 'a' then concat('{"kind":"platform","bps":', split_part(one.line, ' ', 3), '}')
        else concat('{"eventType":"order.filled","dedupeKey":"order.filled:', head.order_id, ':fil', substr(head.order_id, 4), '"}')
      end end::json as detail,
    head.fact_month, head.position as head
  from feed_item_rows head cross join lateral string_to_table(substr(head.following, 2), E'\n') with ordinality one(line, step)
  where one.line <> '-';

create or replace view feed_items with (security_invoker = true) as
  select operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail, fact_month
  from leading_items
  union all
  select operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail, fact_month
  from following_items
  union all
  select operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail, fact_month
  from posted_items;

-- Who could read items still can; grants are applied only after all migrations.
do $$
declare
  held record;
begin
  for held in select given.grantee::regrole::text as role
              from pg_class made cross join aclexplode(made.relacl) given
              where made.oid = 'feed_items'::regclass and given.grantee <> 0 and given.privilege_type = 'SELECT' loop
    execute format('grant select on leading_items to %s', held.role);
  end loop;
end $$;

-- An order that is filled as it is recorded has one fill and one event, order.filled. Its row says all of both but their ids, which
-- are the order's under other prefixes from here on. So neither is stored: `fills` and `order_events` make them of the row.
lock table orders in access exclusive mode;

alter table orders
  add column filled_at_once boolean not null default false,
  drop constraint orders_own_fill,
  add constraint orders_own_fill check ((own_fill_id is null and not filled_at_once) or ((own_fill_id is null or not filled_at_once)
    and simulated and filled_quantity > 0 and price_weight >= filled_quantity and price_weight <= filled_quantity::numeric * 999999)) not valid;

-- A fill and an event never change, and neither does what they are made of.
drop trigger orders_own_fill on orders;
create trigger orders_own_fill before update of own_fill_id, filled_at_once, filled_quantity, price_weight, created_at, external_user_id,
  client_order_id, execution_ref, contract_id, side, action, status, transmission_state, authorization_minor, trade_minor,
  platform_fee_minor, venue_fee_minor, venue_fee_known on orders
  for each row when ((old.own_fill_id, old.filled_at_once) is distinct from (new.own_fill_id, new.filled_at_once)
    or (old.own_fill_id is not null
      and (old.filled_quantity, old.price_weight, old.created_at) is distinct from (new.filled_quantity, new.price_weight, new.created_at))
    or (old.filled_at_once
      and (old.filled_quantity, old.price_weight, old.created_at, old.external_user_id, old.client_order_id, old.execution_ref,
        old.contract_id, old.side, old.action, old.status, old.transmission_state, old.authorization_minor, old.trade_minor,
        old.platform_fee_minor, old.venue_fee_minor, old.venue_fee_known)
      is distinct from (new.filled_quantity, new.price_weight, new.created_at, new.external_user_id, new.client_order_id,
        new.execution_ref, new.contract_id, new.side, new.action, new.status, new.transmission_state, new.authorization_minor,
        new.trade_minor, new.platform_fee_minor, new.venue_fee_minor, new.venue_fee_known)))
  execute function refuse_other_fill();

create or replace view fills with (security_invoker = true) as
  select operator_id, order_id, fill_no, fill_id, quantity, price_micros, fee_micros, venue_fill_id, filled_at
  from (
    select operator_id, order_id, fill_no, fill_id, quantity, price_micros, fee_micros, venue_fill_id, filled_at from fill_rows
    union all
    select operator_id, order_id, 1, case when filled_at_once then ('fil' || substr(order_id, 4))::id else own_fill_id end,
      filled_quantity, div(price_weight, nullif(filled_quantity, 0))::bigint, 0::bigint, null::text, created_at
    from orders) fill
  where fill_id is not null;

-- The events of orders that were filled at once, with their data byte for byte as `filledEvent` writes them.
create view order_events with (security_invoker = true) as
  select operator_id, order_id, 'evn' || substr(order_id, 4) as event_id, 'order.filled'::text as type,
    concat('order.filled:', order_id, ':fil', substr(order_id, 4)) as dedupe_key,
    concat('{"orderId":"', order_id, '","executionRef":"', execution_ref, '","clientOrderId":', to_json(client_order_id),
      ',"externalUserId":', to_json(external_user_id), ',"fillId":"fil', substr(order_id, 4), '","contractId":"', contract_id,
      '","side":"', side, '","action":"', action, '","fillQuantity":', contracts, ',"fillPrice":', price,
      ',"filledQuantity":', contracts, ',"averagePrice":', price, ',"status":"', status, '","transmissionState":"', transmission_state,
      '","operatorMoney":', case when action = 'buy' then concat('{"currency":"USD","authorizationAmount":"', authorization_minor * 0.01,
        '","actualDebit":"', (trade_minor + platform_fee_minor + venue_fee_minor) * 0.01,
        '","releaseAmount":"', (authorization_minor - trade_minor - platform_fee_minor - venue_fee_minor) * 0.01,
        '","tradeAmount":"', trade_minor * 0.01, fees, '}') else 'null' end,
      ',"operatorExitMoney":', case when action = 'buy' then 'null' else concat('{"currency":"USD","sellProceeds":"',
        (trade_minor - platform_fee_minor - venue_fee_minor) * 0.01, fees, '}') end,
      ',"simulated":true,"fillSequence":1,"partial":', to_json(status <> 'filled'), ',"final":', to_json(transmission_state = 'resolved'),
      ',"fillMoney":{"currency":"USD","tradeAmount":"', trade_minor * 0.01, fees,
      ',"actualDebit":', case when action = 'buy' then concat('"', (trade_minor + platform_fee_minor + venue_fee_minor) * 0.01, '"') else 'null' end,
      ',"sellProceeds":', case when action = 'buy' then 'null' else concat('"', (trade_minor - platform_fee_minor - venue_fee_minor) * 0.01, '"') end,
      '}}')::json as data,
    created_at
  from (
    select orders.*, trim_scale(filled_quantity / 1000000::numeric) as contracts,
      trim_scale(div(price_weight, filled_quantity) / 1000000) as price,
      concat('","platformFee":"', platform_fee_minor * 0.01, '","venueFee":"', venue_fee_minor * 0.01,
        '","venueFeeKnown":', to_json(venue_fee_known)) as fees
    from orders where filled_at_once) placed;

-- Every event of webhooks. By its id it is found with webhook_event.
create view webhook_events with (security_invoker = true) as
  select operator_id, event_id::text, type, dedupe_key, data, created_at from outbox_events
  union all
  select operator_id, event_id, type, dedupe_key, data, created_at from order_events;

-- Who could read events still can; grants are applied only after all migrations.
do $$
declare
  held record;
begin
  for held in select given.grantee::regrole::text as role
              from pg_class made cross join aclexplode(made.relacl) given
              where made.oid = 'outbox_events'::regclass and given.grantee <> 0 and given.privilege_type = 'SELECT' loop
    execute format('grant select on order_events, webhook_events to %s', held.role);
  end loop;
end $$;

-- The event of a settlement is made of the settlement's row from here on, which never changes and says all of it but the event's id;
-- that is the settlement's under another prefix. Its item of the feed is short: the detail is a JSON string of the resolution, the
-- side, the contracts, the profits of this settlement and of the position's life, the outcome and both credits, each after a blank,
-- with one at the end; the line `w` follows it.
alter table settlements
  -- null: the event is a row of the outbox
  add column own_event boolean;

-- The money of a short item of a settlement.
create function short_settlement_money(p_detail text) returns json language sql stable parallel safe as $$
  select concat('{"currency" : "USD", "settlementCredit" : "', split_part(p_detail, ' ', 8), '", "voidCredit" : "',
    split_part(p_detail, ' ', 9), '"}')::json
$$;

-- Its detail.
create function short_settlement_detail(p_detail text) returns json language sql stable parallel safe as $$
  select concat('{"resolution" : "', split_part(p_detail, ' ', 2), '", "side" : "', split_part(p_detail, ' ', 3), '", "contracts" : ',
    split_part(p_detail, ' ', 4), ', "realisedPnl" : "', split_part(p_detail, ' ', 5), '", "lifetimeRealisedPnl" : "',
    split_part(p_detail, ' ', 6), '", "outcome" : "', split_part(p_detail, ' ', 7), '"}')::json
$$;

create or replace view leading_items with (security_invoker = true) as
  select operator_id, position, type, coalesce(item_id, 'chg' || substr(order_id, 4)) collate "default" as item_id, occurred_at,
    external_user_id, position_id, order_id,
    case when left(detail::text, 1) <> '"' then money
      when type = 'order.state_changed' then short_item_money(detail::text) else short_settlement_money(detail::text) end as money,
    case when left(detail::text, 1) <> '"' then detail
      when type = 'order.state_changed' then short_item_detail(detail::text) else short_settlement_detail(detail::text) end as detail,
    fact_month
  from feed_item_rows;

create or replace view following_items with (security_invoker = true) as
  select head.operator_id, head.position + one.step as position, following_type(left(one.line, 1)) as type,
    case when strpos(one.line, E'\t') > 0 then split_part(one.line, E'\t', 2)
      when head.order_id is null then 'evn' || substr(head.item_id, 4)
      else case left(one.line, 1) when 'f' then 'fil' when 'a' then 'fee' else 'evn' end || substr(head.order_id, 4) end
      collate "default" as item_id,
    head.occurred_at, head.external_user_id, head.position_id, head.order_id,
    case when strpos(one.line, E'\t') > 0 then nullif(split_part(one.line, E'\t', 3), '')
      when left(one.line, 1) = 'a' then concat('{"currency":"USD","amount":"', split_part(one.line, ' ', 2), '"}') end::json as money,
    case when strpos(one.line, E'\t') > 0 then split_part(one.line, E'\t', 4)
      when head.order_id is null
        then concat('{"eventType" : "position.settled", "dedupeKey" : "position.settled:', head.position_id, '"}')
      else case left(one.line, 1)
        when 'f' then concat('{"quantity":', split_part(one.line, ' ', 2), ',"price":', split_part(one.line, ' ', 3),
          ',"side":"', split_part(head.detail::text, ' ', 3), '","executionRef":"', split_part(head.detail::text, ' ', 5), '"}')
        when 'a' then concat('{"kind":"platform","bps":', split_part(one.line, ' ', 3), '}')
        else concat('{"eventType":"order.filled","dedupeKey":"order.filled:', head.order_id, ':fil', substr(head.order_id, 4), '"}')
      end end::json as detail,
    head.fact_month, head.position as head
  from feed_item_rows head cross join lateral string_to_table(substr(head.following, 2), E'\n') with ordinality one(line, step)
  where one.line <> '-';

-- The events of settlements.
create view settlement_events with (security_invoker = true) as
  select operator_id, settlement_id, 'evn' || substr(settlement_id, 4) as event_id, 'position.settled'::text as type,
    concat('position.settled:', position_id) as dedupe_key,
    json_build_object('positionId', position_id, 'settlementId', settlement_id, 'externalUserId', external_user_id,
      'contractId', contract_id, 'side', side, 'resolution', resolution, 'outcome', outcome,
      'contracts', trim_scale(quantity / 1000000::numeric), 'costBasis', (cost_basis_minor * 0.01)::text,
      'entryFees', (entry_fees_minor * 0.01)::text, 'payout', ((settlement_credit_minor + void_credit_minor) * 0.01)::text,
      'realisedPnl', (realised_pnl_minor * 0.01)::text, 'lifetimeRealisedPnl', (lifetime_realised_pnl_minor * 0.01)::text,
      'operatorMoney', json_build_object('currency', 'USD', 'settlementCredit', (settlement_credit_minor * 0.01)::text,
        'voidCredit', (void_credit_minor * 0.01)::text), 'simulated', simulated) as data,
    settled_at as created_at
  from settlements where own_event;

create or replace view webhook_events with (security_invoker = true) as
  select operator_id, event_id::text, type, dedupe_key, data, created_at from outbox_events
  union all
  select operator_id, event_id, type, dedupe_key, data, created_at from order_events
  union all
  select operator_id, event_id, type, dedupe_key, data, created_at from settlement_events;

-- Who could read events still can; grants are applied only after all migrations.
do $$
declare
  held record;
begin
  for held in select given.grantee::regrole::text as role
              from pg_class made cross join aclexplode(made.relacl) given
              where made.oid = 'outbox_events'::regclass and given.grantee <> 0 and given.privilege_type = 'SELECT' loop
    execute format('grant select on settlement_events to %s', held.role);
  end loop;
end $$;

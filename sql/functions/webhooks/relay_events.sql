-- The type of the webhook event of a row of the journal, or null if it raises none. eventOf in
-- src/ledger/render/events.ts renders the event (test/webhooks/relay.test.ts compares the two).
create or replace function journal_event_type(p_kind journal_kind, p_status order_status,
  p_quantity bigint) returns text language sql immutable parallel safe as $$
  select case p_kind
    when 'order_recorded' then 'order.intent_recorded'
    when 'order_withdrawn' then 'order.cancelled'
    when 'order_executed' then case when p_quantity > 0 then 'order.filled' end
    when 'order_filled' then 'order.filled'
    when 'order_ended' then
      case p_status when 'rejected' then 'order.rejected' else 'order.completed' end
    when 'position_settled' then 'position.settled'
    when 'resolution_changed' then 'market.resolution_changed' end
$$;

-- Events that the relay has not turned into deliveries yet, of operators that ever had an endpoint.
create or replace function waiting_events()
returns table (operator_id text, sequence bigint, event_id text, type text, recorded_at timestamptz)
language sql stable
-- Only what is new, by key: statistics do not know how far a relay is behind.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select relay.operator_id, row.sequence,
    'evn_' || coalesce(replace(row.digits::text, '-', ''), substr(row.order_id, 5)),
    journal_event_type(row.kind, row.status, row.quantity), row.recorded_at
  from webhook_relays relay
    join operator_ledgers ledger on ledger.operator_id = relay.operator_id
      and ledger.sequence > relay.sequence
    join journal row on row.operator_id = relay.operator_id and row.sequence > relay.sequence
  where exists (select from webhook_subscriptions subscription
      where subscription.operator_id = relay.operator_id)
    and journal_event_type(row.kind, row.status, row.quantity) is not null
$$;

-- Turns events into deliveries and jobs, in one statement: about p_limit rows of the journal, an
-- equal share of each operator that is behind. Whether an endpoint receives an event depends on the
-- event's own time and the endpoint's periods, never on the time of the relay. An operator that
-- never had an endpoint has nothing to deliver, so that its relay moves to the end at once. Locks:
-- operators that no other relay has, then jobs of several endpoints. A runner ends several jobs at
-- once in no fixed order; if the two wait for each other, this function gives up well before the
-- deadlock would end the runner, and the relay retries. `behind` says that there is more.
create or replace function relay_events(p_limit integer)
returns table (relayed integer, queued integer, behind boolean) language plpgsql
-- Lock timeout: well below deadlock_timeout (1 s), see above. The journal is read in the order of
-- its key: statistics of a short one must not decide how a long one is read.
set lock_timeout = '300ms' set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  v_operator_ids text[];
  v_endpoint_ids text[];
begin
  with late as materialized (
    select relay.operator_id, relay.sequence, ledger.sequence as through,
      exists (select from webhook_subscriptions subscription
        where subscription.operator_id = relay.operator_id) as listens
    from webhook_relays relay
      join operator_ledgers ledger on ledger.operator_id = relay.operator_id
        and ledger.sequence > relay.sequence
    order by relay.operator_id for update of relay skip locked
  ), found as materialized (
    select late.operator_id, row.sequence, row.items, row.recorded_at,
      'evn_' || coalesce(replace(row.digits::text, '-', ''), substr(row.order_id, 5)) as event_id,
      journal_event_type(row.kind, row.status, row.quantity) as type
    from late cross join lateral (select * from journal stored
      where stored.operator_id = late.operator_id and stored.sequence > late.sequence
        and stored.sequence <= late.through
      order by stored.sequence
      limit (select greatest(1, p_limit / greatest(count(*), 1)) from late where listens)) row
    where late.listens
  ), moved as (
    update webhook_relays relay set sequence = coalesce(reached.sequence, late.through)
    from late left join (
      select found.operator_id, max(found.sequence + found.items - 1) as sequence
      from found group by found.operator_id) reached on reached.operator_id = late.operator_id
    where relay.operator_id = late.operator_id
    returning relay.operator_id, relay.sequence < late.through as behind
  ), owed as (
    insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, sequence,
      recorded_at, type)
    select found.operator_id, 'dlv_' || substr(found.event_id, 5) || '_' || endpoint.number,
      endpoint.endpoint_id, found.event_id, found.sequence, found.recorded_at,
      found.type
    from found
    join webhook_subscriptions subscription on subscription.operator_id = found.operator_id
      and subscription.type = found.type and subscription.from_at <= found.recorded_at
        and (subscription.until_at is null or found.recorded_at < subscription.until_at)
    join webhook_endpoints endpoint on endpoint.operator_id = subscription.operator_id
      and endpoint.endpoint_id = subscription.endpoint_id and endpoint.removed_at is null
    on conflict do nothing
    returning operator_id, endpoint_id
  ), woken as (
    select distinct owed.operator_id, owed.endpoint_id from owed
    join webhook_endpoints endpoint on endpoint.operator_id = owed.operator_id
      and endpoint.endpoint_id = owed.endpoint_id and endpoint.active
    left join webhook_health health on health.operator_id = owed.operator_id
      and health.endpoint_id = owed.endpoint_id
    where health.paused_until is null or health.paused_until <= now()
  )
  select (select count(*) from found where found.type is not null), (select count(*) from owed),
    coalesce((select bool_or(moved.behind) from moved), false),
    (select array_agg(woken.operator_id::text order by woken.endpoint_id) from woken),
    (select array_agg(woken.endpoint_id::text order by woken.endpoint_id) from woken)
  into relayed, queued, behind, v_operator_ids, v_endpoint_ids;
  if v_operator_ids is not null then
    perform wake_webhook_endpoints(v_operator_ids, v_endpoint_ids,
      array_fill(null::timestamptz, array[cardinality(v_operator_ids)]));
  end if;
  return next;
end $$;

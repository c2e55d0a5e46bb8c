-- Turns outbox rows into deliveries and jobs, in one statement, so an event is either waiting or fully queued. Whether an
-- endpoint gets an event is decided by the event's own time against the endpoint's periods, never by the time of the relay.
-- It wakes several endpoints, and a runner ends several jobs at once, in no order: where they wait for each other this one gives up,
-- well before the deadlock that would end the runner, and comes again.
create or replace function relay_outbox(p_limit integer) returns table (relayed integer, queued integer) language plpgsql set lock_timeout = '300ms' as $$
declare
  operator_ids_ text[];
  endpoint_ids_ text[];
begin
  with waiting as (
    select o.operator_id, o.event_id, o.type, o.created_at from outbox_events o
    where o.relayed_at is null order by o.event_id limit p_limit for update skip locked
  ), marked as (
    update outbox_events o set relayed_at = clock_timestamp() from waiting w
    where o.operator_id = w.operator_id and o.event_id = w.event_id
    returning o.event_id
  ), owed as (
    insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, type)
    select w.operator_id, 'dlv_' || substr(w.event_id, strpos(w.event_id, '_') + 1) || '_' || e.number, e.endpoint_id, w.event_id, w.type
    from waiting w
    join webhook_subscriptions s on s.operator_id = w.operator_id and s.type = w.type
      and s.from_at <= w.created_at and (s.until_at is null or w.created_at < s.until_at)
    join webhook_endpoints e on e.operator_id = s.operator_id and e.endpoint_id = s.endpoint_id and e.removed_at is null
    on conflict do nothing
    returning operator_id, endpoint_id
  ), woken as (
    select distinct d.operator_id, d.endpoint_id from owed d
    join webhook_endpoints e on e.operator_id = d.operator_id and e.endpoint_id = d.endpoint_id and e.active
    left join webhook_health h on h.operator_id = d.operator_id and h.endpoint_id = d.endpoint_id
    where h.paused_until is null or h.paused_until <= now()
  )
  select (select count(*) from marked), (select count(*) from owed),
    (select array_agg(w.operator_id::text order by w.endpoint_id) from woken w),
    (select array_agg(w.endpoint_id::text order by w.endpoint_id) from woken w)
  into relayed, queued, operator_ids_, endpoint_ids_;
  if operator_ids_ is not null then
    perform wake_webhook_endpoints(operator_ids_, endpoint_ids_, array_fill(null::timestamptz, array[cardinality(operator_ids_)]));
  end if;
  return next;
end $$;

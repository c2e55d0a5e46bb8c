-- Turns waiting events into deliveries and jobs, in one statement, so an event is either waiting or
-- completely queued. Whether an endpoint receives an event depends on the event's own time and the
-- endpoint's periods, never on the time of the relay. Locks: queue rows that no other relay has,
-- then jobs of several endpoints. A runner ends several jobs at once in no fixed order; if the two
-- wait for each other, this function gives up well before the deadlock would end the runner, and
-- the relay retries.
create or replace function relay_outbox(p_limit integer)
returns table (relayed integer, queued integer) language plpgsql
-- Lock timeout: well below deadlock_timeout (1 s), see above. No sequential scan: statistics of an
-- empty queue must not decide how a long one is read.
set lock_timeout = '300ms' set enable_seqscan = off as $$
declare
  v_operator_ids text[];
  v_endpoint_ids text[];
begin
  with waiting as (
    select event.ctid as place, event.operator_id, event.event_id, event.type, event.created_at
    from outbox_queue event
    order by event.event_id limit p_limit for update skip locked
  ), taken as (
    -- by their place: locked above, so no other statement moves them
    delete from outbox_queue event where event.ctid = any (array(select place from waiting))
    returning event.event_id
  ), owed as (
    insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, type)
    select waiting.operator_id, 'dlv_'
      || substr(waiting.event_id, strpos(waiting.event_id, '_') + 1) || '_' || endpoint.number,
      endpoint.endpoint_id, waiting.event_id, waiting.type
    from waiting
    join webhook_subscriptions subscription on subscription.operator_id = waiting.operator_id
      and subscription.type = waiting.type
      and subscription.from_at <= waiting.created_at
        and (subscription.until_at is null or waiting.created_at < subscription.until_at)
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
  select (select count(*) from taken), (select count(*) from owed),
    (select array_agg(woken.operator_id::text order by woken.endpoint_id) from woken),
    (select array_agg(woken.endpoint_id::text order by woken.endpoint_id) from woken)
  into relayed, queued, v_operator_ids, v_endpoint_ids;
  if v_operator_ids is not null then
    perform wake_webhook_endpoints(v_operator_ids, v_endpoint_ids,
      array_fill(null::timestamptz, array[cardinality(v_operator_ids)]));
  end if;
  return next;
end $$;

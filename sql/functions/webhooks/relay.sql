-- The relay: turns rows of the journal into deliveries and jobs. The worker calls relay_events, the
-- last function.

-- Creates one job for each endpoint and time. The key of the job keeps it at one, however often
-- this is called. Endpoints are taken in one order, so two callers never wait for each other in a
-- circle. Times are rounded up to a tenth of a second, so a burst of failures with the same delay
-- shares a job.
create or replace function wake_webhook_endpoints(p_operator_ids text[], p_endpoint_ids text[],
  p_run_at timestamptz[])
returns void language plpgsql as $$
begin
  perform graphile_worker.add_jobs(array(
    select row('webhook-deliver', json_build_object('operatorId', wake.operator_id, 'endpointId',
      wake.endpoint_id), null, wake.run_at,
      25, 'webhook:' || wake.endpoint_id
        || coalesce(':' || (extract(epoch from wake.run_at) * 10)::bigint, ''), null, null
    )::graphile_worker.job_spec
    from (select distinct operator_id, endpoint_id,
      to_timestamp(ceil(extract(epoch from run_at) * 10) / 10) as run_at
          from unnest(p_operator_ids, p_endpoint_ids, p_run_at)
            as given (operator_id, endpoint_id, run_at)) wake
    order by wake.endpoint_id, wake.run_at nulls first
  ));
end $$;

-- The type of the webhook event of a row of the journal, or null if it raises none, as eventNameOf
-- in src/ledger/render/events.ts. The auditor keeps a separate list, which checks this one.
create or replace function journal_event_type(p_kind journal_kind, p_status order_status,
  p_quantity_micros bigint) returns text language sql immutable parallel safe as $$
  select case p_kind
    when 'order_recorded' then 'order.intent_recorded'
    when 'order_withdrawn' then 'order.cancelled'
    when 'order_executed' then case when p_quantity_micros > 0 then 'order.filled' end
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
-- Only new rows, by key: statistics do not show how far a relay is behind.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select relay.operator_id, row.sequence, item_id('evn', row.digits, row.order_id),
    journal_event_type(row.kind, row.status, row.quantity_micros), row.recorded_at
  from webhook_relays relay
    join operator_ledgers ledger on ledger.operator_id = relay.operator_id
      and ledger.sequence > relay.sequence
    join journal row on row.operator_id = relay.operator_id and row.sequence > relay.sequence
  where exists (select from webhook_subscriptions subscription
      where subscription.operator_id = relay.operator_id)
    and journal_event_type(row.kind, row.status, row.quantity_micros) is not null
$$;

-- Turns events into deliveries and jobs, in one call: about p_limit rows of the journal, an equal
-- share of each operator that is behind, or of the one that is named. Whether an endpoint receives
-- an event depends on the event's own time and the endpoint's periods, never on the time of the
-- relay. An operator that never had an endpoint needs no deliveries, so that its relay moves to the
-- end at once. Locks: operators that no other relay has, then jobs of several endpoints. A runner
-- ends several jobs at once in no fixed order; if the two wait for each other, this function gives
-- up well before the deadlock would end the runner, and the relay retries. `behind` is true if
-- there are more rows.
create or replace function relay_events(p_operator_id text, p_limit integer)
returns table (relayed integer, queued integer, behind boolean) language plpgsql
-- Lock timeout: well below deadlock_timeout (1 s), see above. The journal is read in the order of
-- its key: statistics of a short one must not decide how a long one is read. One plan for all
-- calls, because planning ten statements costs more than running them.
set lock_timeout = '300ms' set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_operator text := nullif(p_operator_id, '');
  v_now timestamptz := now();
  -- operators that are behind, how far each was relayed, and how far its feed goes
  v_late text[];
  v_after bigint[];
  v_through bigint[];
  v_listens boolean[];
  v_share integer;
  -- rows of their journals: the positions that each takes, and its event
  v_owners text[];
  v_first bigint[];
  v_last bigint[];
  v_times timestamptz[];
  v_events text[];
  v_types text[];
  v_reached bigint[];
  -- deliveries of them: the place of the row above, and the endpoint
  v_places integer[];
  v_deliveries text[];
  v_endpoints text[];
  v_made record;
  v_queued integer := 0;
  v_operator_ids text[] := '{}';
  v_endpoint_ids text[] := '{}';
begin
  select array_agg(late.operator_id::text), array_agg(late.sequence), array_agg(late.through),
    array_agg(late.listens),
    greatest(1, p_limit / greatest(count(*) filter (where late.listens), 1))
  into v_late, v_after, v_through, v_listens, v_share
  from (
    select relay.operator_id, relay.sequence, ledger.sequence as through,
      exists (select from webhook_subscriptions subscription
        where subscription.operator_id = coalesce(v_operator, relay.operator_id)) as listens
    from webhook_relays relay
      join operator_ledgers ledger on ledger.operator_id = coalesce(v_operator, relay.operator_id)
        and ledger.sequence > relay.sequence
    where relay.operator_id = coalesce(v_operator, relay.operator_id)
    order by relay.operator_id for update of relay skip locked) late;
  if v_late is null then
    return query select 0, 0, false;
    return;
  end if;

  select array_agg(late.operator_id), array_agg(row.sequence),
    array_agg(row.sequence + row.items - 1), array_agg(row.recorded_at), array_agg(row.event_id),
    array_agg(row.type)
  into v_owners, v_first, v_last, v_times, v_events, v_types
  from unnest(v_late, v_after, v_through, v_listens)
      as late(operator_id, sequence, through, listens)
    cross join lateral (
      select stored.sequence, stored.items, stored.recorded_at,
        item_id('evn', stored.digits, stored.order_id) as event_id,
        journal_event_type(stored.kind, stored.status, stored.quantity_micros) as type
      from journal stored
      where late.listens and stored.operator_id = coalesce(v_operator, late.operator_id)
        and stored.sequence > late.sequence and stored.sequence <= late.through
      order by stored.sequence limit v_share) row;
  -- an operator without rows is at the end
  select array_agg(coalesce(found.last, late.through) order by late.n) into v_reached
  from unnest(v_late, v_through) with ordinality late(operator_id, through, n)
    left join (select found.operator_id, max(found.last) as last
      from unnest(v_owners, v_last) as found(operator_id, last) group by found.operator_id) found
      on found.operator_id = late.operator_id;
  update webhook_relays relay set sequence = moved.reached
  from unnest(v_late, v_reached) as moved(operator_id, reached)
  where relay.operator_id = coalesce(v_operator, moved.operator_id);

  select array_agg(found.n::integer order by found.n, endpoint.number),
    array_agg('dlv_' || substr(found.event_id, 5) || '_' || endpoint.number
      order by found.n, endpoint.number),
    array_agg(endpoint.endpoint_id::text order by found.n, endpoint.number)
  into v_places, v_deliveries, v_endpoints
  from unnest(v_owners, v_times, v_events, v_types) with ordinality
      as found(operator_id, recorded_at, event_id, type, n)
    join webhook_subscriptions subscription
      on subscription.operator_id = coalesce(v_operator, found.operator_id)
      and subscription.type = found.type and subscription.from_at <= found.recorded_at
      and (subscription.until_at is null or found.recorded_at < subscription.until_at)
    join webhook_endpoints endpoint
      on endpoint.operator_id = coalesce(v_operator, found.operator_id)
      and endpoint.endpoint_id = subscription.endpoint_id and endpoint.removed_at is null;
  for v_made in
    insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, sequence,
      recorded_at, type)
    select v_owners[owed.place], owed.delivery_id, owed.endpoint_id, v_events[owed.place],
      v_first[owed.place], v_times[owed.place], v_types[owed.place]
    from unnest(v_places, v_deliveries, v_endpoints) as owed(place, delivery_id, endpoint_id)
    on conflict do nothing
    returning operator_id, endpoint_id
  loop
    v_queued := v_queued + 1;
    if v_made.endpoint_id::text <> all (v_endpoint_ids) then
      v_operator_ids := v_operator_ids || v_made.operator_id::text;
      v_endpoint_ids := v_endpoint_ids || v_made.endpoint_id::text;
    end if;
  end loop;

  select array_agg(woken.operator_id order by woken.endpoint_id),
    array_agg(woken.endpoint_id order by woken.endpoint_id)
  into v_operator_ids, v_endpoint_ids
  from unnest(v_operator_ids, v_endpoint_ids) as woken(operator_id, endpoint_id)
    join webhook_endpoints endpoint
      on endpoint.operator_id = coalesce(v_operator, woken.operator_id)
      and endpoint.endpoint_id = woken.endpoint_id and endpoint.active
    left join webhook_health health
      on health.operator_id = coalesce(v_operator, woken.operator_id)
      and health.endpoint_id = woken.endpoint_id
  where health.paused_until is null or health.paused_until <= v_now;
  if v_operator_ids is not null then
    perform wake_webhook_endpoints(v_operator_ids, v_endpoint_ids,
      array_fill(null::timestamptz, array[cardinality(v_operator_ids)]));
  end if;
  return query select (select count(type)::integer from unnest(v_types) type), v_queued,
    (select coalesce(bool_or(late.reached < late.through), false)
      from unnest(v_reached, v_through) as late(reached, through));
end $$;

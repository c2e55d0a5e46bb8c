-- An event that is made of the row of its subject, by its id, which has the subject's digits: an
-- order that was filled at once, or a settlement. PostgreSQL inlines it.
create or replace function made_event(p_operator_id text, p_event_id text)
returns setof webhook_events language sql stable parallel safe as $$
  select event.operator_id, event.event_id, event.type, event.dedupe_key, event.data,
    event.created_at
  from order_events event
  where event.operator_id = p_operator_id and event.order_id = 'ord' || substr(p_event_id, 4)
  union all
  select event.operator_id, event.event_id, event.type, event.dedupe_key, event.data,
    event.created_at
  from settlement_events event
  where event.operator_id = p_operator_id and event.settlement_id = 'stl' || substr(p_event_id, 4)
$$;

-- Any event by its id. PostgreSQL inlines it.
create or replace function webhook_event(p_operator_id text, p_event_id text)
returns setof webhook_events language sql stable parallel safe as $$
  select event.operator_id, event.event_id::text, event.type, event.dedupe_key, event.data,
    event.created_at
  from outbox_events event
  where event.operator_id = p_operator_id and event.event_id = p_event_id
  union all
  select * from made_event(p_operator_id, p_event_id)
$$;

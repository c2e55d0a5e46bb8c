-- Events that waited before there was a queue (0056). It reads by the index of what waits and locks no row. An event that the relay
-- of the release before takes meanwhile is taken once more, without effect: the id of a delivery is made of its event and endpoint.
insert into outbox_queue (operator_id, event_id, type, created_at)
select operator_id, event_id, type, created_at from outbox_events where relayed_at is null
on conflict do nothing;

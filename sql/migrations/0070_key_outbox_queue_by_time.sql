-- concurrently
-- The queue is read in the order of its events, whose ids begin with the time. A key that begins with them grows at its end and needs
-- no second index by age; a key that begins with the operator is half empty, because each operator's events arrive in its middle.
drop index concurrently if exists outbox_queue_by_event;
create unique index concurrently outbox_queue_by_event on outbox_queue (event_id, operator_id);

-- What waits for the relay is in outbox_queue since 0056; nothing has read or written this column since.
alter table outbox_events drop column relayed_at;

-- The indexes that those of 0032 replace. Functions of the release before find their rows without them, only slower.
drop index feed_items_type;
drop index feed_items_user;
drop index feed_items_order;
drop index ledger_entries_id;
drop index ledger_entries_reference;
-- outbox_events_once keeps an event from being raised twice
alter table outbox_events drop constraint outbox_dedupe;

-- concurrently
-- Builds the indexes of 0032. A statement with a table in braces is repeated for each of its partitions that has no part of that
-- index yet, so that a build that was interrupted goes on where it stopped.
drop index concurrently if exists {feed_items lacking feed_items_by_type}_by_type;
create index concurrently {feed_items lacking feed_items_by_type}_by_type on {feed_items lacking feed_items_by_type} (operator_id, type, (position >> 8));
alter index feed_items_by_type attach partition {feed_items lacking feed_items_by_type}_by_type;
drop index concurrently if exists {feed_items lacking feed_items_by_user}_by_user;
create index concurrently {feed_items lacking feed_items_by_user}_by_user on {feed_items lacking feed_items_by_user} (operator_id, external_user_id, (position >> 8))
  where external_user_id is not null;
alter index feed_items_by_user attach partition {feed_items lacking feed_items_by_user}_by_user;
drop index concurrently if exists {feed_items lacking feed_items_by_order}_by_order;
create index concurrently {feed_items lacking feed_items_by_order}_by_order on {feed_items lacking feed_items_by_order} (order_id)
  where order_id is not null and type = 'order.state_changed';
alter index feed_items_by_order attach partition {feed_items lacking feed_items_by_order}_by_order;
drop index concurrently if exists {ledger_entries lacking ledger_entries_by_id}_by_id;
create index concurrently {ledger_entries lacking ledger_entries_by_id}_by_id on {ledger_entries lacking ledger_entries_by_id} (entry_id);
alter index ledger_entries_by_id attach partition {ledger_entries lacking ledger_entries_by_id}_by_id;
drop index concurrently if exists {ledger_entries lacking ledger_entries_by_reference}_by_reference;
create index concurrently {ledger_entries lacking ledger_entries_by_reference}_by_reference on {ledger_entries lacking ledger_entries_by_reference} (reference_id);
alter index ledger_entries_by_reference attach partition {ledger_entries lacking ledger_entries_by_reference}_by_reference;

drop index concurrently if exists outbox_events_once;
create unique index concurrently outbox_events_once on outbox_events (event_digest(dedupe_key), operator_id);

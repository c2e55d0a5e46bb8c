-- Half of what an order stores was indexes, and most of an index entry was ids as text. The indexes that are made here, and built by
-- 0033 partition by partition, find the same rows with less. PostgreSQL leaves the pages of an index half empty where rows of many
-- operators come in between, so an index leads with an id that rises with time where it can. And entries with equal keys share one
-- copy of the key, so items are found by blocks of 256 positions.

create index if not exists feed_items_by_type on only feed_items (operator_id, type, (position >> 8));
create index if not exists feed_items_by_user on only feed_items (operator_id, external_user_id, (position >> 8))
  where external_user_id is not null;
create index if not exists feed_items_by_order on only feed_items (order_id)
  where order_id is not null and type = 'order.state_changed';
create index if not exists ledger_entries_by_id on only ledger_entries (entry_id);
create index if not exists ledger_entries_by_reference on only ledger_entries (reference_id);

-- The identity of an event in 128 bits: first the milliseconds of the id that its key names, then bits of the hash of the key.
create function event_digest(p_dedupe_key text) returns uuid language sql immutable strict parallel safe as $$
  select (left(coalesce(substring(p_dedupe_key from ':[a-z]+_([0-9a-f]{12})'), md5(p_dedupe_key)), 12)
    || right(md5(p_dedupe_key), 20))::uuid
$$;

-- Every change of an order's status moves it to another entry of orders_open, so room for updates in place was never used; and an
-- event changes once, when it is relayed, which moves it as well.
alter table orders set (fillfactor = 100);
alter table outbox_events set (fillfactor = 100);

-- concurrently
-- Finds the entries of a customer, as feed_item_rows_by_user finds the other items: in blocks of 256 positions.
create index if not exists ledger_entries_by_user on only ledger_entries (operator_id, external_user_id, (position >> 8))
  where external_user_id is not null;
create index if not exists ledger_entries_before_by_user on only ledger_entries_before (operator_id, external_user_id, (position >> 8))
  where external_user_id is not null;
drop index concurrently if exists {ledger_entries_before lacking ledger_entries_before_by_user}_by_user;
create index concurrently {ledger_entries_before lacking ledger_entries_before_by_user}_by_user
  on {ledger_entries_before lacking ledger_entries_before_by_user} (operator_id, external_user_id, (position >> 8))
  where external_user_id is not null;
alter index ledger_entries_before_by_user attach partition {ledger_entries_before lacking ledger_entries_before_by_user}_by_user;
alter index ledger_entries_by_user attach partition ledger_entries_before_by_user;
drop index concurrently if exists {ledger_entries lacking ledger_entries_by_user}_by_user;
create index concurrently {ledger_entries lacking ledger_entries_by_user}_by_user
  on {ledger_entries lacking ledger_entries_by_user} (operator_id, external_user_id, (position >> 8))
  where external_user_id is not null;
alter index ledger_entries_by_user attach partition {ledger_entries lacking ledger_entries_by_user}_by_user;

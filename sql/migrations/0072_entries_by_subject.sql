-- concurrently
-- Finds entries by what they refer to, without those of orders, which are found by the order's customer and the positions of its
-- items. Entries that are no items name no customer, so they stay in it. It takes the place of ledger_entries_by_reference.
create index if not exists ledger_entries_by_subject on only ledger_entries (reference_id)
  where reference_type <> 'order' or is_item is null;
create index if not exists ledger_entries_before_by_subject on only ledger_entries_before (reference_id)
  where reference_type <> 'order' or is_item is null;
drop index concurrently if exists {ledger_entries_before lacking ledger_entries_before_by_subject}_by_subject;
create index concurrently {ledger_entries_before lacking ledger_entries_before_by_subject}_by_subject
  on {ledger_entries_before lacking ledger_entries_before_by_subject} (reference_id)
  where reference_type <> 'order' or is_item is null;
alter index ledger_entries_before_by_subject attach partition {ledger_entries_before lacking ledger_entries_before_by_subject}_by_subject;
alter index ledger_entries_by_subject attach partition ledger_entries_before_by_subject;
drop index concurrently if exists {ledger_entries lacking ledger_entries_by_subject}_by_subject;
create index concurrently {ledger_entries lacking ledger_entries_by_subject}_by_subject
  on {ledger_entries lacking ledger_entries_by_subject} (reference_id)
  where reference_type <> 'order' or is_item is null;
alter index ledger_entries_by_subject attach partition {ledger_entries lacking ledger_entries_by_subject}_by_subject;

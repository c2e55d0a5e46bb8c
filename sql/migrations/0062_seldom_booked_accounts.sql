-- concurrently
-- Finds the entries of accounts of the house that are booked on seldom: what customers were given, deposits, what an operator's own
-- cash paid, what we bore, fees that were given back, and whatever a correction names. Other accounts of the house are on nearly
-- every entry and are found by reading backwards (account_positions).
create index if not exists ledger_entries_seldom on only ledger_entries (operator_id, position)
  where corrects_entry_id is not null or account_ids && '{sandbox:float,deposits,operator:cash,overrun,fees:returned}'::text[];
create index if not exists ledger_entries_before_seldom on only ledger_entries_before (operator_id, position)
  where corrects_entry_id is not null or account_ids && '{sandbox:float,deposits,operator:cash,overrun,fees:returned}'::text[];
drop index concurrently if exists {ledger_entries_before lacking ledger_entries_before_seldom}_seldom;
create index concurrently {ledger_entries_before lacking ledger_entries_before_seldom}_seldom
  on {ledger_entries_before lacking ledger_entries_before_seldom} (operator_id, position)
  where corrects_entry_id is not null or account_ids && '{sandbox:float,deposits,operator:cash,overrun,fees:returned}'::text[];
alter index ledger_entries_before_seldom attach partition {ledger_entries_before lacking ledger_entries_before_seldom}_seldom;
alter index ledger_entries_seldom attach partition ledger_entries_before_seldom;
drop index concurrently if exists {ledger_entries lacking ledger_entries_seldom}_seldom;
create index concurrently {ledger_entries lacking ledger_entries_seldom}_seldom
  on {ledger_entries lacking ledger_entries_seldom} (operator_id, position)
  where corrects_entry_id is not null or account_ids && '{sandbox:float,deposits,operator:cash,overrun,fees:returned}'::text[];
alter index ledger_entries_seldom attach partition {ledger_entries lacking ledger_entries_seldom}_seldom;

-- Nothing has read it since 0056.
drop index concurrently if exists outbox_waiting;

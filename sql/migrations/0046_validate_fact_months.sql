-- concurrently
-- Reads every fact once, while they are read and written: what 0047 attaches must need no scan under its lock. The check of types is
-- validated as well, because a partition's check may not be less than its parent's.
alter table ledger_entries validate constraint ledger_entries_before;
alter table ledger_lines validate constraint ledger_lines_before;
alter table feed_items validate constraint feed_items_before, validate constraint feed_items_type_check;

-- concurrently
-- Finds the settlement of an event, whose id has the settlement's digits (0079).
drop index concurrently if exists settlements_by_id;
create unique index concurrently settlements_by_id on settlements (settlement_id, operator_id);

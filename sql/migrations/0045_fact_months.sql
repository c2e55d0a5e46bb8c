-- The month in which a fact was recorded becomes the key of the partitions of feed and ledger, so that old facts can leave the hot
-- disk whatever their operator's size (docs/old-facts.md). Facts recorded before the first month have none: null adds no byte to a
-- row. 0046 proves that every row has none, and 0047 puts the tables that exist under a parent with a partition a month.
alter table ledger_entries add column fact_month smallint,
  add constraint ledger_entries_before check (fact_month is null) not valid;
alter table ledger_lines add column fact_month smallint,
  add constraint ledger_lines_before check (fact_month is null) not valid;
alter table feed_items add column fact_month smallint,
  add constraint feed_items_before check (fact_month is null) not valid;

-- The months that have begun, as year * 12 + month, and how their partitions are called.
create table fact_months (
  month smallint primary key,
  suffix text not null unique,
  began_at timestamptz not null default clock_timestamp()
);

-- The first position of an operator in a month. Written with the beginning of the month, while nothing is recorded: positions of
-- the operator from here on are in this month or a later one, those below in an earlier one. No row says nothing, so a read looks
-- into every month: an operator that has just come from another cell has none.
create table fact_month_starts (
  operator_id id not null references operators,
  month smallint not null references fact_months,
  first_position bigint not null check (first_position > 0),
  primary key (operator_id, month)
);
create trigger fact_months_append_only before update or delete on fact_months for each row execute function refuse_change();
create trigger fact_months_keep before truncate on fact_months for each statement execute function refuse_change();
create trigger fact_month_starts_append_only before update or delete on fact_month_starts
  for each row execute function refuse_change();
create trigger fact_month_starts_keep before truncate on fact_month_starts for each statement execute function refuse_change();

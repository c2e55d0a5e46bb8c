-- Accounting periods: a closed period takes no entry dated in it, and its statement never changes.

-- An entry is dated by effective_at, or, if it has none, by recorded_at. Only entries that a person dates (deposits, withdrawals,
-- corrections) have one, so the order path writes nothing more than before.
alter table ledger_entries add column effective_at timestamptz;

-- Both take the effective date as one more argument now; only commands call them.
drop function if exists move_collateral(text, text, bigint, text);
drop function if exists correct_entry(text, text, text, text, json);

-- The end of the operator's last closed period. The next fact is recorded at greatest(clock, recorded_at), so the constraint keeps
-- every later fact out of the closed period even if the clock of the machine is set back.
alter table operator_counters add column closed_until timestamptz;
alter table operator_counters add constraint next_fact_after_closed_period
  check (closed_until is null or (recorded_at is not null and closed_until <= recorded_at));

create table accounting_periods (
  operator_id id not null references operators,
  number integer not null check (number > 0),
  -- the first period begins at 1970-01-01, every other one where the last ended
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- the last position of the operator's feed when the period was closed: no later entry is dated in the period
  through_position bigint not null check (through_position >= 0),
  closed_by text not null check (length(closed_by) between 1 and 200),
  closed_at timestamptz not null,
  primary key (operator_id, number),
  unique (operator_id, starts_at),
  unique (operator_id, ends_at),
  check (starts_at < ends_at),
  check (ends_at <= closed_at)
);
create trigger accounting_periods_append_only before update or delete on accounting_periods
  for each row execute function refuse_change();
create trigger accounting_periods_keep before truncate on accounting_periods for each statement execute function refuse_change();

-- The signed statement of a closed period, written once.
create table period_statements (
  operator_id id not null,
  number integer not null,
  note text not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (operator_id, number),
  foreign key (operator_id, number) references accounting_periods
);
create trigger period_statements_append_only before update or delete on period_statements
  for each row execute function refuse_change();
create trigger period_statements_keep before truncate on period_statements for each statement execute function refuse_change();

-- A date in a closed period is refused for every role and function. The share lock waits for a close that is under way.
create function refuse_closed_period() returns trigger language plpgsql as $$
declare
  closed timestamptz;
begin
  if new.effective_at > new.recorded_at then
    raise exception 'entry % takes effect after it is recorded', new.entry_id using errcode = 'IN006';
  end if;
  select closed_until into closed from operator_counters where operator_id = new.operator_id for share;
  if least(new.effective_at, new.recorded_at) < closed then
    raise exception 'entry % is dated in a closed period, which ended at %', new.entry_id, closed using errcode = 'IN006';
  end if;
  return new;
end $$;
-- record_facts reads the clock after the transaction began, so its entries without an effective date never call the function.
create trigger ledger_entries_open_period before insert on ledger_entries for each row
  when (new.effective_at is not null or new.recorded_at < now()) execute function refuse_closed_period();

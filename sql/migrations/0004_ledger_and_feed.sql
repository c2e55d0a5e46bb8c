-- The ledger and the reconciliation feed. Both are append-only and share one dense position counter per operator:
-- a ledger entry sits at the position of its own `ledger.posted` item, so commit order, feed order and ledger order are one.

-- Row locked last in every money statement; fillfactor leaves room for updates in place.
create table operator_counters (
  operator_id id primary key references operators,
  feed_position bigint not null default 0 check (feed_position >= 0)
) with (fillfactor = 20);

create function create_operator_counter() returns trigger language plpgsql as $$
begin
  insert into operator_counters (operator_id) values (new.operator_id);
  return new;
end $$;
create trigger operators_counter after insert on operators for each row execute function create_operator_counter();

create table feed_items (
  operator_id id not null,
  position bigint not null check (position > 0),
  type text not null check (type in ('order.state_changed', 'order.filled', 'fee.assessed', 'collateral.moved',
    'ledger.posted', 'position.exited', 'position.settled', 'webhook.emitted')),
  item_id text not null,
  occurred_at timestamptz not null,
  external_user_id text collate "C",
  position_id id,
  order_id id,
  -- json, not jsonb: written once, handed out as it is
  money json,
  detail json not null,
  primary key (operator_id, position)
) partition by range (position);
create table feed_items_1 partition of feed_items for values from (0) to (100000000);
create table feed_items_rest partition of feed_items default;
create index feed_items_user on feed_items (operator_id, external_user_id, position) where external_user_id is not null;
create index feed_items_type on feed_items (operator_id, type, position);
create index feed_items_order on feed_items (operator_id, order_id) where order_id is not null and type = 'order.state_changed';

-- Amounts are signed cents: a debit is positive, a credit negative. Customers' and operators' money are liabilities,
-- so what they own reads negative here and may never rise above zero.
create table account_balances (
  operator_id id not null references operators,
  account_id text collate "C" not null,
  balance bigint not null default 0,
  primary key (operator_id, account_id),
  constraint liability_not_overdrawn check (
    balance <= 0 or not (account_id like 'wallet:%' or account_id like 'hold:%' or account_id like 'collateral:%')
  )
) with (fillfactor = 50);

create table ledger_entries (
  operator_id id not null,
  position bigint not null,
  entry_id id not null,
  movement_type text not null,
  memo text not null,
  reference_type text not null,
  reference_id text not null,
  corrects_entry_id id,
  recorded_at timestamptz not null,
  primary key (operator_id, position)
) partition by range (position);
create table ledger_entries_1 partition of ledger_entries for values from (0) to (100000000);
create table ledger_entries_rest partition of ledger_entries default;
create index ledger_entries_reference on ledger_entries (operator_id, reference_id);
create index ledger_entries_id on ledger_entries (operator_id, entry_id);

create table ledger_lines (
  operator_id id not null,
  position bigint not null,
  line_no smallint not null,
  account_id text collate "C" not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  primary key (operator_id, position, line_no)
) partition by range (position);
create table ledger_lines_1 partition of ledger_lines for values from (0) to (100000000);
create table ledger_lines_rest partition of ledger_lines default;
create index ledger_lines_account on ledger_lines (operator_id, account_id, position);

-- Every entry balances: checked once a statement over what it inserted, so a batch pays for it once.
create function refuse_unbalanced_entries() returns trigger language plpgsql as $$
declare
  bad record;
begin
  select operator_id, position, sum(amount) as difference into bad
  from inserted group by operator_id, position having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'ledger entry % of % does not balance: %', bad.position, bad.operator_id, bad.difference
      using errcode = 'IN001';
  end if;
  return null;
end $$;
create trigger ledger_lines_balance after insert on ledger_lines
  referencing new table as inserted for each statement execute function refuse_unbalanced_entries();

-- Append-only for every role, the owner included; the service's role has no right to try either.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'IN002';
end $$;
create trigger feed_items_append_only before update or delete on feed_items for each row execute function refuse_change();
create trigger ledger_entries_append_only before update or delete on ledger_entries for each row execute function refuse_change();
create trigger ledger_lines_append_only before update or delete on ledger_lines for each row execute function refuse_change();
create trigger feed_items_keep before truncate on feed_items for each statement execute function refuse_change();
create trigger ledger_entries_keep before truncate on ledger_entries for each statement execute function refuse_change();
create trigger ledger_lines_keep before truncate on ledger_lines for each statement execute function refuse_change();

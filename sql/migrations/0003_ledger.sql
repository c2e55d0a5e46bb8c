-- The ledger and the reconciliation feed. Both are append-only and share one dense position counter per operator:
-- a ledger entry sits at the position of its own `ledger.posted` item, so commit order, feed order and ledger order are one.

-- Row locked last in every money statement; fillfactor leaves room for updates in place.
create table operator_counters (
  operator_id id primary key references operators,
  feed_position bigint not null default 0 check (feed_position >= 0),
  -- time of the operator's last fact: record_facts never records an earlier one
  recorded_at timestamptz
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
-- One correction for each entry: a wrong correction is corrected itself.
create index ledger_entries_corrects on ledger_entries (operator_id, corrects_entry_id) where corrects_entry_id is not null;
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

-- Append-only. A truncate of one partition does not fire the trigger of the whole table, so partitions have their own.
create trigger feed_items_append_only before update or delete on feed_items for each row execute function refuse_change();
create trigger ledger_entries_append_only before update or delete on ledger_entries for each row execute function refuse_change();
create trigger ledger_lines_append_only before update or delete on ledger_lines for each row execute function refuse_change();
create trigger feed_items_keep before truncate on feed_items for each statement execute function refuse_change();
create trigger ledger_entries_keep before truncate on ledger_entries for each statement execute function refuse_change();
create trigger ledger_lines_keep before truncate on ledger_lines for each statement execute function refuse_change();
create trigger feed_items_1_keep before truncate on feed_items_1 for each statement execute function refuse_change();
create trigger feed_items_rest_keep before truncate on feed_items_rest for each statement execute function refuse_change();
create trigger ledger_entries_1_keep before truncate on ledger_entries_1 for each statement execute function refuse_change();
create trigger ledger_entries_rest_keep before truncate on ledger_entries_rest for each statement execute function refuse_change();
create trigger ledger_lines_1_keep before truncate on ledger_lines_1 for each statement execute function refuse_change();
create trigger ledger_lines_rest_keep before truncate on ledger_lines_rest for each statement execute function refuse_change();

-- Deposits and withdrawals of an operator's collateral: what was agreed outside the service, one row each. The ledger entry and
-- the feed item of a movement are written by the same statement, and the report compares them with this table.
create table collateral_movements (
  operator_id id not null references operators,
  -- what the service operator calls the movement: a bank's reference, a ticket. A repetition moves nothing
  reference text collate "C" not null check (length(reference) between 1 and 200),
  kind text not null check (kind in ('deposit', 'withdrawal')),
  amount_minor bigint not null check (amount_minor > 0),
  -- position of its collateral.moved item in the operator's feed; its ledger entry is right before it
  sequence bigint not null,
  recorded_at timestamptz not null,
  -- the operator's collateral right after it, the answer if the reference is repeated
  available_minor bigint not null check (available_minor >= 0),
  committed_minor bigint not null check (committed_minor >= 0),
  primary key (operator_id, reference)
);
create unique index collateral_movements_sequence on collateral_movements (operator_id, sequence);
create trigger collateral_movements_append_only before update or delete on collateral_movements
  for each row execute function refuse_change();
create trigger collateral_movements_keep before truncate on collateral_movements for each statement execute function refuse_change();

-- A link of an operator's hash chain: one batch of ledger entries and the hash of the link before. Positions and marks
-- (eight bytes an entry) say which entry of a broken batch it was. Hashes are over binary sent in network order, so they
-- survive a dump and restore into another cluster.
create table ledger_seals (
  operator_id id not null references operators,
  number bigint not null check (number > 0),
  -- every entry after the one and up to the other is in this batch, and none besides
  after_position bigint not null,
  through_position bigint not null,
  positions bigint[] not null,
  marks bytea not null,
  digest bytea not null,
  seal bytea not null,
  sealed_at timestamptz not null default now(),
  primary key (operator_id, number),
  check (through_position > after_position),
  check (octet_length(marks) = 8 * cardinality(positions))
);
create trigger ledger_seals_append_only before update or delete on ledger_seals
  for each row execute function refuse_change();
create trigger ledger_seals_keep before truncate on ledger_seals for each statement execute function refuse_change();

-- Each operator's feed as a transparency log: a Merkle tree over its items, stored in tiles of 256 hashes, and the newest
-- signed checkpoint. A job writes both behind the feed; no money statement touches them.

create table feed_log_tiles (
  operator_id id not null references operators,
  -- a hash of level L stands for the 256^L items below it
  level smallint not null check (level between 0 and 6),
  tile bigint not null check (tile >= 0),
  hashes bytea not null check (length(hashes) % 32 = 0 and length(hashes) between 32 and 8192),
  primary key (operator_id, level, tile)
);
-- hashes are random: compressing them costs time and saves nothing
alter table feed_log_tiles alter column hashes set storage external;

create table feed_log_heads (
  operator_id id primary key references operators,
  size bigint not null check (size >= 0),
  root bytea not null check (length(root) = 32),
  -- the checkpoint over both, signed with a key that the database does not hold
  note text not null,
  sealed_at timestamptz not null default clock_timestamp()
);

-- A tile only grows to the right and a log only grows: not even the owner can rewrite them without dropping these triggers.
create function refuse_log_rewrite() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or tg_op = 'TRUNCATE' then
    raise exception '% is append-only', tg_table_name using errcode = 'IN002';
  elsif tg_table_name = 'feed_log_heads' then
    if new.operator_id <> old.operator_id or new.size < old.size or (new.size = old.size and new.root <> old.root) then
      raise exception 'the log of % does not go back', old.operator_id using errcode = 'IN002';
    end if;
  elsif row(new.operator_id, new.level, new.tile) <> row(old.operator_id, old.level, old.tile)
     or substring(new.hashes from 1 for length(old.hashes)) <> old.hashes then
    raise exception 'a tile of the log of % was to be rewritten', old.operator_id using errcode = 'IN002';
  end if;
  return new;
end $$;
create trigger feed_log_tiles_grow before update or delete on feed_log_tiles for each row execute function refuse_log_rewrite();
create trigger feed_log_heads_grow before update or delete on feed_log_heads for each row execute function refuse_log_rewrite();
create trigger feed_log_tiles_keep before truncate on feed_log_tiles for each statement execute function refuse_log_rewrite();
create trigger feed_log_heads_keep before truncate on feed_log_heads for each statement execute function refuse_log_rewrite();

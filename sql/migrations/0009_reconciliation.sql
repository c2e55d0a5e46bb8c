-- Reconciliation: seals over the ledger, what venues said that does not fit, and the last report of each operator.

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
create trigger ledger_seals_append_only before update or delete on ledger_seals for each row execute function refuse_change();
create trigger ledger_seals_keep before truncate on ledger_seals for each statement execute function refuse_change();

-- One correction an entry: a correction that was wrong is corrected itself.
create index ledger_entries_corrects on ledger_entries (operator_id, corrects_entry_id) where corrects_entry_id is not null;

-- What a venue said about an order and that a person has to look at, word for word.
create table venue_evidence (
  evidence_id bigint generated always as identity primary key,
  operator_id id not null,
  order_id id not null,
  kind text not null,
  severity text not null default 'warning' check (severity in ('critical', 'warning', 'info')),
  raw json not null,
  recorded_at timestamptz not null default now()
);
create index venue_evidence_order on venue_evidence (operator_id, order_id);

-- The nightly report, the last one kept whole.
create table reconciliation_reports (
  operator_id id primary key references operators,
  -- set by the worker that takes an operator's night, so that one does
  claimed_at timestamptz not null,
  ran_at timestamptz,
  ok boolean,
  report json
);

create index settlements_time on settlements using brin (settled_at);

-- A truncate of one partition does not fire the trigger of the whole.
create trigger feed_items_1_keep before truncate on feed_items_1 for each statement execute function refuse_change();
create trigger feed_items_rest_keep before truncate on feed_items_rest for each statement execute function refuse_change();
create trigger ledger_entries_1_keep before truncate on ledger_entries_1 for each statement execute function refuse_change();
create trigger ledger_entries_rest_keep before truncate on ledger_entries_rest for each statement execute function refuse_change();
create trigger ledger_lines_1_keep before truncate on ledger_lines_1 for each statement execute function refuse_change();
create trigger ledger_lines_rest_keep before truncate on ledger_lines_rest for each statement execute function refuse_change();

-- What a check found. A record is an id or an account of ours, a user is the operator's id of a customer.
create type finding as (
  check_name text,
  severity text,
  detail text,
  subject_type text,
  subject_id text
);

-- Scripted outcomes of sandbox orders.
create table scenarios (
  operator_id id not null references operators,
  scenario_id id not null,
  kind text not null check (kind = 'partial_fill'),
  fill_fraction numeric check (fill_fraction > 0 and fill_fraction < 1),
  fill_amount_minor bigint check (fill_amount_minor > 0),
  client_order_id text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_by id,
  disarmed_at timestamptz,
  primary key (operator_id, scenario_id),
  check ((fill_fraction is null) <> (fill_amount_minor is null))
);
create index scenarios_armed on scenarios (operator_id, scenario_id) where consumed_by is null and disarmed_at is null;

-- What a sandbox tester asked a position to resolve to. Such a settlement leaves the market alone, so a later resolution
-- of the market is no change of it.
create table sandbox_resolutions (
  operator_id id not null references operators,
  position_id id not null,
  resolution text not null check (resolution in ('WIN', 'LOSS', 'VOID')),
  requested_at timestamptz not null default now(),
  -- a position with contracts in an open sell is settled when that sell has ended; the periodic job reads these rows alone
  waiting boolean not null default true,
  primary key (operator_id, position_id)
);
create index sandbox_resolutions_waiting on sandbox_resolutions (operator_id, position_id) where waiting;

-- Test deposits of sandbox customers.
create table sandbox_deposits (
  operator_id id not null references operators,
  deposit_id id not null,
  external_user_id text collate "C" not null,
  symbol text not null,
  chain_id bigint not null,
  address text not null,
  -- how often the bridge was asked: once it has seen the transfer, twice it credits
  polls integer not null default 0 check (polls between 0 and 2),
  received_minor bigint check (received_minor > 0),
  credited_minor bigint check (credited_minor > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  credited_at timestamptz,
  primary key (operator_id, deposit_id),
  check ((credited_at is null) = (credited_minor is null)),
  check ((received_minor is null) = (polls = 0)),
  check ((credited_at is not null) = (polls = 2))
);

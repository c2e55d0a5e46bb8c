-- Test deposits of sandbox customers, and which resolutions that a tester asked for still wait for their settlement.

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

-- A position with contracts in an open sell is settled once that sell ended; the sweep looks at these rows alone.
alter table sandbox_resolutions add column waiting boolean not null default true;
create index sandbox_resolutions_waiting on sandbox_resolutions (operator_id, position_id) where waiting;

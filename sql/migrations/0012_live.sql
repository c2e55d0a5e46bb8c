-- Live execution: attempts at venues, what is held where, and exposure.

-- Raised by every move of an order; a move decided on an older one is decided again.
alter table orders add column version bigint not null default 1;
alter table orders add column transmitted_at timestamptz;
-- fills of a sell whose contracts have left the position, which they do once their venue fee is known
alter table orders add column exited_fills integer not null default 0;
create index orders_transmitted on orders (operator_id, external_user_id, transmitted_at)
  where transmitted_at is not null and action = 'buy' and not simulated;

-- One attempt an order, ever: written with the move to `submitted`, before the wire is touched.
create table transmissions (
  operator_id id not null,
  order_id id not null,
  -- our own id at the venue; what the venue is asked about
  our_id text collate "C" not null unique,
  venue text not null,
  listing_id text not null,
  side text not null,
  action text not null,
  quantity bigint not null check (quantity > 0),
  limit_price_micros bigint not null check (limit_price_micros between 1 and 999999),
  max_cost_micros bigint,
  sent_at timestamptz not null,
  -- after this the venue itself refuses the order
  expires_at timestamptz not null,
  -- sending and unknown: ask the venue; working: it may still fill; reading_fee: all but a fee is known; done: final
  state text not null check (state in ('sending', 'unknown', 'working', 'reading_fee', 'done')),
  lookups integer not null default 0,
  -- "not found" answers in a row, counted only after expires_at and a minute
  not_found integer not null default 0,
  next_lookup_at timestamptz not null,
  answered_at timestamptz,
  primary key (operator_id, order_id),
  foreign key (operator_id, order_id) references orders
) with (fillfactor = 80);
create index transmissions_due on transmissions (next_lookup_at) where state <> 'done';

-- Live contracts remember their venue.
create table position_holdings (
  operator_id id not null,
  position_id id not null,
  venue text not null,
  quantity bigint not null check (quantity >= 0),
  held_quantity bigint not null default 0 check (held_quantity between 0 and quantity),
  primary key (operator_id, position_id, venue),
  foreign key (operator_id, position_id) references positions
);

-- Authorizations of unresolved transmitted live buys plus the cost basis of open live positions, kept by the money
-- statements: one row a player, and the operator's total under the empty id, which is locked after all players.
create table exposures (
  operator_id id not null references operators,
  external_user_id text collate "C" not null,
  exposure_minor bigint not null default 0 check (exposure_minor >= 0),
  primary key (operator_id, external_user_id)
) with (fillfactor = 50);

-- A move of an order as it was decided, and what it was decided on. Null leaves a column as it is.
create type order_move as (
  number integer,
  operator_id text,
  external_user_id text,
  order_id text,
  expected_version bigint,
  status text,
  transmission_state text,
  filled_quantity bigint,
  price_weight numeric,
  trade_minor bigint,
  platform_fee_minor bigint,
  venue_fee_minor bigint,
  venue_fee_known boolean,
  debit_minor bigint,
  release_minor bigint,
  proceeds_minor bigint,
  counted_stake_minor bigint,
  exited_fills integer,
  reject_reason text,
  reserve_reference text,
  confirms boolean,
  cancellation_id text,
  cancel_reason text,
  -- committed of the operator's collateral by a confirmed reserve
  collateral_minor bigint,
  -- the gates and caps are asked under their locks: the move begins a transmission
  begins boolean,
  attempt json,
  attempt_state text,
  attempt_not_found integer,
  lookup_in_seconds double precision,
  fills json,
  -- a buy's difference, or the exit of a sell
  position_id text,
  position_version bigint,
  add_quantity bigint,
  add_cost_minor bigint,
  add_fees_minor bigint,
  add_weight numeric,
  take_quantity bigint,
  cost_share_minor bigint,
  fee_share_minor bigint,
  weight_share numeric,
  add_realised_minor bigint,
  unhold_quantity bigint,
  exposure_minor bigint
);

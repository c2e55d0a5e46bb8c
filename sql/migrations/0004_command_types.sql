-- Row shapes that the money functions are called with. They are schema, changed by a migration: a function may be
-- replaced while the service runs, a type may not.

-- One thing to be recorded: a feed item, and where it has them its ledger lines and its webhook event.
create type fact as (
  ord integer,
  operator_id text,
  type text,
  item_id text,
  external_user_id text,
  position_id text,
  order_id text,
  money json,
  detail json,
  -- [[accountId, signed cents], ...] of a ledger.posted item
  lines json,
  -- data of the event that a webhook.emitted item announces
  event json
);

-- A quote as it was decided, and what it was decided on.
create type quote_command as (
  -- place in the batch, from 1
  number integer,
  operator_id text,
  external_user_id text,
  quote_id text,
  contract_id text,
  side text,
  action text,
  price_micros bigint,
  fee_bps integer,
  authorization_minor bigint,
  fee_minor bigint,
  trade_minor bigint,
  quantity bigint,
  payout_minor bigint,
  hold_seconds integer,
  simulated boolean,
  venue text,
  routing_reason text,
  considered_venues integer,
  routable boolean,
  book jsonb,
  book_revision bigint,
  -- what the market itself already refuses; the customer's own status is reported first
  refusal text,
  observed_country text
);

-- An order as it was decided, and what it was decided on.
create type order_command as (
  -- place in the batch, from 1
  number integer,
  operator_id text,
  external_user_id text,
  order_id text,
  client_order_id text,
  execution_ref text,
  quote_id text,
  contract_id text,
  side text,
  action text,
  intent text,
  status text,
  transmission_state text,
  simulated boolean,
  price_micros bigint,
  slippage_micros bigint,
  fee_bps integer,
  authorization_minor bigint,
  quoted_fee_minor bigint,
  quoted_trade_minor bigint,
  quoted_quantity bigint,
  filled_quantity bigint,
  fill_price_micros bigint,
  fill_id text,
  trade_minor bigint,
  platform_fee_minor bigint,
  venue_fee_minor bigint,
  venue_fee_known boolean,
  debit_minor bigint,
  release_minor bigint,
  proceeds_minor bigint,
  counted_stake_minor bigint,
  -- the position a buy opens where none is open, or the one that a sell exits
  position_id text,
  position_version bigint,
  cost_share_minor bigint,
  fee_share_minor bigint,
  weight_share numeric,
  scenario_id text,
  reject_reason text,
  routing_reason text,
  considered_venues integer,
  venue text,
  armed boolean,
  reserve_reference text,
  -- the price base: a book that moved is priced again
  book_revision bigint,
  -- what decided on the market already refuses
  refusal text,
  -- refused after limits and before funds: the simulated ceiling
  late_refusal text,
  -- taken from the simulated wallet, or held in it
  wallet_minor bigint,
  -- committed of the operator's collateral
  collateral_minor bigint,
  -- how many facts the command has, so that a statement can refuse a batch that carries more or fewer
  fact_count integer
);

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
  exposure_minor bigint,
  -- the order is at the venue already: gates and caps are not asked
  adopts boolean,
  fact_count integer
);

-- One position as it is paid out. Cents and micro-contracts.
create type payout as (
  n bigint,
  position_id text,
  settlement_id text,
  external_user_id text,
  contract_id text,
  side text,
  quantity bigint,
  cost_minor bigint,
  fees_minor bigint,
  credit_minor bigint,
  outcome text,
  lifetime_minor bigint,
  simulated boolean,
  funds_account text
);

-- What a check found. A record is an id or an account of ours, a user is the operator's id of a customer.
create type finding as (
  check_name text,
  severity text,
  detail text,
  subject_type text,
  subject_id text
);

-- Quotes, orders, fills, positions, settlements and the outbox of webhook events.

-- Partitioned by its time-ordered id, so that old quotes leave by dropping a table.
create table quotes (
  operator_id id not null,
  quote_id id not null,
  external_user_id text collate "C" not null,
  contract_id id not null,
  side text not null check (side in ('YES', 'NO')),
  action text not null check (action in ('buy', 'sell')),
  price_micros bigint not null check (price_micros between 1 and 999999),
  fee_bps integer not null,
  -- S, F, T of a buy; zero authorization, fee and notional of a sell
  authorization_minor bigint not null check (authorization_minor >= 0),
  fee_minor bigint not null check (fee_minor >= 0),
  trade_minor bigint not null check (trade_minor >= 0),
  quantity bigint not null check (quantity > 0),
  payout_minor bigint not null check (payout_minor >= 0),
  -- the venue's fee is unknown at quote, which is null and not zero
  venue_fee_minor bigint check (venue_fee_minor is null),
  simulated boolean not null,
  venue text not null,
  routing_reason text not null check (routing_reason in ('single_venue', 'best_price', 'unverified_group')),
  considered_venues integer not null,
  routable boolean not null,
  book jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  spent_by id,
  primary key (operator_id, quote_id),
  check (action = 'sell' or authorization_minor = trade_minor + fee_minor)
) partition by range (quote_id);
create table quotes_rest partition of quotes default with (fillfactor = 80);

-- Quotes that an order spent: kept for good when the table of their week leaves. Quotes that no order spent are deleted with it.
-- A new column of quotes must be added to this table too, in the same place.
create table kept_quotes (
  like quotes including defaults including constraints,
  primary key (operator_id, quote_id)
);
alter table kept_quotes alter column spent_by set not null;
create trigger kept_quotes_append_only before update or delete on kept_quotes for each row execute function refuse_change();
create trigger kept_quotes_keep before truncate on kept_quotes for each statement execute function refuse_change();

-- Orders, positions and outbox have no foreign key to operators: it costs a look-up and a row lock for each row that is written. They
-- are only written by money functions that have joined the operator or locked its counter, and the counter, which each operator has
-- from its first moment, references the operator, so no operator can be deleted.
-- Unique keys contain the operator, as a database that is sharded by operator demands.
create table orders (
  operator_id id not null,
  order_id id not null,
  external_user_id text collate "C" not null,
  client_order_id text collate "C" not null check (length(client_order_id) between 1 and 200),
  execution_ref text collate "C" not null,
  quote_id id not null,
  contract_id id not null,
  side text not null check (side in ('YES', 'NO')),
  action text not null check (action in ('buy', 'sell')),
  intent text not null check (intent in ('record_intent', 'simulate')),
  status text not null check (status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled',
    'filled', 'rejected', 'cancelled', 'pending')),
  transmission_state text not null check (transmission_state in ('not_transmitted', 'unknown', 'resolved')),
  simulated boolean not null,
  price_micros bigint not null,
  slippage_micros bigint not null default 0 check (slippage_micros between 0 and 50000),
  fee_bps integer not null,
  authorization_minor bigint not null,
  quoted_fee_minor bigint not null,
  quoted_trade_minor bigint not null,
  quoted_quantity bigint not null check (quoted_quantity > 0),
  filled_quantity bigint not null default 0 check (filled_quantity >= 0),
  -- sum of quantity times price over the fills, in 1e-12 dollars
  price_weight numeric not null default 0,
  trade_minor bigint not null default 0 check (trade_minor >= 0),
  platform_fee_minor bigint not null default 0 check (platform_fee_minor >= 0),
  venue_fee_minor bigint not null default 0 check (venue_fee_minor >= 0),
  venue_fee_known boolean not null default false,
  debit_minor bigint not null default 0 check (debit_minor >= 0),
  release_minor bigint not null default 0 check (release_minor >= 0),
  proceeds_minor bigint not null default 0 check (proceeds_minor >= 0),
  -- what counts in a customer's period window: the authorization while open, the debit once final
  counted_stake_minor bigint not null default 0,
  position_id id,
  scenario_id id,
  reject_reason text,
  routing_reason text not null,
  considered_venues integer not null,
  venue text not null,
  armed boolean not null default false,
  reserve_reference text check (length(reserve_reference) <= 200),
  reserve_confirmed_at timestamptz,
  cancellation_id id,
  cancelled_at timestamptz,
  cancel_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- raised by every move; a move that was decided on an older version is decided again
  version bigint not null default 1,
  transmitted_at timestamptz,
  -- fills of a sell whose contracts have left the position, which they do once their venue fee is known
  exited_fills integer not null default 0,
  primary key (operator_id, order_id),
  constraint orders_idempotency unique (operator_id, external_user_id, client_order_id),
  constraint orders_authorization check (action = 'sell' or authorization_minor = debit_minor + release_minor),
  constraint orders_debit check (action = 'sell' or debit_minor = trade_minor + platform_fee_minor + venue_fee_minor),
  constraint orders_proceeds check (action = 'buy' or proceeds_minor = trade_minor - platform_fee_minor - venue_fee_minor),
  constraint orders_never_sent check (status not in ('reserve_pending', 'pending_venue_execution') or transmission_state = 'not_transmitted'),
  constraint orders_withdrawn_unsent check (cancellation_id is null or transmission_state = 'not_transmitted')
) with (fillfactor = 85);
create index orders_customer on orders (operator_id, external_user_id, order_id);
create unique index orders_execution_ref on orders (execution_ref, operator_id);
create index orders_transmitted on orders (operator_id, external_user_id, transmitted_at)
  where transmitted_at is not null and action = 'buy' and not simulated;
create index orders_open on orders (operator_id, status, order_id)
  where status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'pending');

-- Every row of the specification's state table and rulings 6; the one list that code and database share.
create table order_transitions (
  from_status text not null,
  to_status text not null,
  why text not null,
  primary key (from_status, to_status)
);
insert into order_transitions values
  ('', 'reserve_pending', 'recorded, reserve not confirmed'),
  ('', 'pending_venue_execution', 'recorded with reserveReference'),
  ('', 'filled', 'simulated fill'),
  ('', 'partially_filled', 'simulated partial fill'),
  ('', 'rejected', 'simulated, the book moved'),
  ('', 'cancelled', 'simulated, nothing filled'),
  ('reserve_pending', 'pending_venue_execution', 'reserve confirmed'),
  ('reserve_pending', 'cancelled', 'cancelled or withdrawn unsent'),
  ('pending_venue_execution', 'cancelled', 'cancelled or withdrawn unsent'),
  ('pending_venue_execution', 'submitted', 'transmission began'),
  ('submitted', 'partially_filled', 'a fill arrived, venue working or fee being read'),
  ('submitted', 'filled', 'the quantity asked was matched'),
  ('submitted', 'rejected', 'the venue refused'),
  ('submitted', 'cancelled', 'the venue closed it unfilled'),
  ('partially_filled', 'filled', 'the quantity asked was matched');

create function refuse_unknown_transition() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.status = old.status then
    return new;
  end if;
  if not exists (select 1 from order_transitions
                 where from_status = case when tg_op = 'INSERT' then '' else old.status end and to_status = new.status) then
    raise exception 'no transition of an order from % to %', case when tg_op = 'INSERT' then 'none' else old.status end, new.status
      using errcode = 'IN003';
  end if;
  return new;
end $$;
create trigger orders_transition before insert or update of status on orders
  for each row execute function refuse_unknown_transition();

create table fills (
  operator_id id not null,
  order_id id not null,
  fill_no integer not null check (fill_no > 0),
  fill_id id not null,
  quantity bigint not null check (quantity > 0),
  price_micros bigint not null check (price_micros between 1 and 999999),
  -- what the venue took of this fill, micro-dollars; null is not read yet
  fee_micros bigint,
  venue_fill_id text,
  filled_at timestamptz not null,
  -- no foreign key: the money statements write a fill with its order, and the check would cost a look-up a fill
  primary key (operator_id, order_id, fill_no)
);
create unique index fills_venue on fills (operator_id, order_id, venue_fill_id) where venue_fill_id is not null;

create table positions (
  operator_id id not null,
  position_id id not null,
  external_user_id text collate "C" not null,
  contract_id id not null,
  side text not null check (side in ('YES', 'NO')),
  simulated boolean not null,
  status text not null default 'open' check (status in ('open', 'closed', 'settled')),
  quantity bigint not null check (quantity >= 0),
  -- contracts in a sell that may be at a venue
  held_quantity bigint not null default 0 check (held_quantity between 0 and quantity),
  cost_basis_minor bigint not null check (cost_basis_minor >= 0),
  entry_fees_minor bigint not null check (entry_fees_minor between 0 and cost_basis_minor),
  price_weight numeric not null,
  average_price_micros bigint not null,
  realised_pnl_minor bigint not null default 0,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  -- raised by every change; an exit decided on an older one is decided again
  version bigint not null default 1,
  primary key (operator_id, position_id),
  check (status = 'open' or (quantity = 0 and cost_basis_minor = 0)),
  check (status <> 'open' or quantity > 0)
) with (fillfactor = 80);
create unique index positions_open on positions (operator_id, external_user_id, contract_id, side, simulated) where status = 'open';
create index positions_customer on positions (operator_id, external_user_id, position_id);
create index positions_contract on positions (contract_id, operator_id, external_user_id, position_id) where status = 'open';

create table settlements (
  operator_id id not null references operators,
  settlement_id id not null,
  position_id id not null,
  -- of the position.settled item; the register's cursor
  feed_position bigint not null,
  external_user_id text collate "C" not null,
  contract_id id not null,
  side text not null,
  resolution text not null check (resolution in ('YES', 'NO', 'VOID', 'SPLIT')),
  yes_worth_micros bigint check (yes_worth_micros between 1 and 999999),
  outcome text not null check (outcome in ('won', 'lost', 'void')),
  quantity bigint not null check (quantity > 0),
  cost_basis_minor bigint not null,
  entry_fees_minor bigint not null,
  settlement_credit_minor bigint not null check (settlement_credit_minor >= 0),
  void_credit_minor bigint not null check (void_credit_minor >= 0),
  realised_pnl_minor bigint not null,
  lifetime_realised_pnl_minor bigint not null,
  simulated boolean not null,
  settled_at timestamptz not null,
  -- version of the resolution that was paid; null if a sandbox tester asked for the settlement
  resolution_version integer check (resolution_version >= 0),
  primary key (operator_id, feed_position),
  constraint settlements_once unique (operator_id, position_id),
  check (settlement_credit_minor = 0 or void_credit_minor = 0),
  check (outcome <> 'lost' or (settlement_credit_minor = 0 and void_credit_minor = 0)),
  check (realised_pnl_minor = settlement_credit_minor + void_credit_minor - cost_basis_minor),
  check ((resolution = 'SPLIT') = (yes_worth_micros is not null))
);
create index settlements_customer on settlements (operator_id, external_user_id, feed_position);
create index settlements_contract on settlements (contract_id, operator_id);
create index settlements_time on settlements using brin (settled_at);
create trigger settlements_append_only before update or delete on settlements
  for each row execute function refuse_change();
create trigger settlements_keep before truncate on settlements for each statement execute function refuse_change();

-- Events as they were raised, in the transaction of their fact; the relay turns them into deliveries.
create table outbox_events (
  operator_id id not null,
  event_id id not null,
  type text not null,
  dedupe_key text collate "C" not null,
  data json not null,
  created_at timestamptz not null default now(),
  relayed_at timestamptz,
  primary key (operator_id, event_id),
  constraint outbox_dedupe unique (operator_id, dedupe_key)
) with (fillfactor = 80);
create index outbox_waiting on outbox_events (event_id) where relayed_at is null;

-- One attempt an order, ever: written with the move to `submitted`, before the wire is touched.
create table transmissions (
  operator_id id not null,
  order_id id not null,
  -- our own id at the venue; what the venue is asked about
  our_id text collate "C" not null,
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
  -- why it is certain that the venue does not have the order: it was never written to the wire, or the venue refused to read it;
  -- null if it may be there, or was answered
  not_sent text,
  primary key (operator_id, order_id),
  unique (our_id, operator_id),
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

-- What a venue reported about an order and a person has to look at, word for word.
create table venue_evidence (
  evidence_id bigint generated always as identity,
  operator_id id not null,
  order_id id not null,
  kind text not null,
  severity text not null default 'warning' check (severity in ('critical', 'warning', 'info')),
  raw json not null,
  recorded_at timestamptz not null default now(),
  primary key (operator_id, evidence_id)
);
create index venue_evidence_order on venue_evidence (operator_id, order_id);

create trigger venue_evidence_append_only before update or delete on venue_evidence
  for each row execute function refuse_change();
create trigger venue_evidence_keep before truncate on venue_evidence for each statement execute function refuse_change();

-- When our account at a venue was last compared with the books.
create table venue_accounts (
  venue text collate "C" primary key,
  compared_at timestamptz not null,
  -- everything before it was looked at
  compared_until timestamptz not null,
  offset_ms integer,
  balance_micros bigint
);

-- What a venue reports about our account and the books do not contain. Kept when it is cleared.
create table venue_findings (
  finding_id bigint generated always as identity primary key,
  venue text not null,
  kind text not null,
  -- what it is about there: our id of an order, a fill, a listing
  subject text collate "C" not null,
  -- null where it belongs to no order of ours
  operator_id id,
  order_id id,
  raw json not null,
  found_at timestamptz not null default now(),
  cleared_at timestamptz,
  unique (venue, kind, subject)
);
create index venue_findings_open on venue_findings (operator_id) where cleared_at is null;

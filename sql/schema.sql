-- The schema: every table, type, view and trigger of the service, in the order in which one needs the other. An empty database gets this
-- file once; the functions of sql/functions and the rights of sql/grants.sql follow whenever they change (src/db/schema/migrate.ts).
--
-- Until the first release a change is made here, and a development database is made again. After it this file stays as it is, and
-- each change is a numbered file in sql/migrations.

-- ------------------------------------------------------------------------------------------------
-- Ground: ids, settings, what is append-only, leases

create domain id as text collate "C";

-- This file, and the migrations that were applied.
create table schema_migrations (
  name text primary key,
  run_on timestamptz not null default now()
);

-- Facts of a deployment that its processes must agree on: the address of the paper venue, the hash of the applied functions.
create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- Refuses to change an append-only table for every role, the owner included; the service's role has no right to try.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'IN002';
end $$;

-- Leadership among processes: who holds which lease, and until when on the database's clock. A lease survives neither the
-- death of its holder nor a fail-over to a server in recovery, because taking and renewing one are writes.
create table leases (
  name text collate "C" primary key,
  -- unique to each taking, so that two holders differ even if a fail-over lost the commit of the later one
  holder text collate "C" not null,
  -- rises with each taking; a write that carries an older one is refused
  epoch bigint not null check (epoch > 0),
  taken_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 50);

-- Database roles of the service operator's commands. Only the owner of the tables names them (src/db/schema/apply-functions.ts); if there
-- are some, the service's own role loses their rights (sql/service-grants.sql).
create table admin_roles (
  role name primary key
);

-- The database role of the auditor, if it has a separate one; named by the owner of the tables like the roles above.
create table auditor_roles (
  role name primary key
);

-- ------------------------------------------------------------------------------------------------
-- Operators: tenants, keys, customers, rate counters, what the service operator did

create table operators (
  operator_id id primary key,
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$') unique,
  name text not null,
  mode text not null check (mode in ('sandbox', 'live')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  parent_id id references operators,
  platform_fee_bps integer not null default 0 check (platform_fee_bps between 0 and 5000),
  frame_origins text[] not null default '{}' check (cardinality(frame_origins) <= 10),
  presentation jsonb not null default '{}',
  jurisdiction_mode text not null default 'off' check (jurisdiction_mode in ('off', 'observe', 'enforced')),
  permitted_countries text[] not null default '{}',
  jurisdiction_allow_exits boolean not null default false,
  execution_confirmed boolean not null default false,
  arming text not null default 'automatic' check (arming in ('automatic', 'manual')),
  trading_paused boolean not null default false,
  simulate_ceiling_minor bigint check (simulate_ceiling_minor >= 0),
  rate_ceiling integer not null default 12000 check (rate_ceiling > 0),
  offer_categories text[],
  max_order_minor bigint check (max_order_minor > 0),
  player_exposure_minor bigint check (player_exposure_minor > 0),
  player_orders integer check (player_orders > 0),
  total_exposure_minor bigint check (total_exposure_minor > 0),
  total_orders integer check (total_orders > 0),
  max_wager_minor bigint check (max_wager_minor between 1 and 1000000000),
  period_stake_minor bigint check (period_stake_minor between 1 and 1000000000),
  period_hours integer check (period_hours between 1 and 8760),
  operator_book_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the service operator last opened the account gate, from which on an order that waits may be
  -- sent; null if it was open from the start. An order that is unsent five minutes after its reserve
  -- was confirmed and both gates were open is withdrawn.
  execution_confirmed_at timestamptz,
  check ((period_stake_minor is null) = (period_hours is null))
);
create index operators_parent on operators (parent_id) where parent_id is not null;

-- A parent has no parent, and its children have its mode: otherwise a sandbox key could act for a live child. A trigger and not a
-- foreign key, because a foreign key cannot compare modes; admission refuses as well.
create function check_parent() returns trigger language plpgsql as $$
declare
  parent operators;
begin
  -- one such row at a time, so that no parent gets a parent or another mode meanwhile; servers of Citus wait for each other for a row
  perform pg_advisory_xact_lock(hashtextextended('operators_parent', 0));
  if new.parent_id is not null then
    select * into parent from operators o where o.operator_id = new.parent_id;
    if parent.operator_id = new.operator_id or parent.parent_id is not null then
      raise exception 'The parent of an operator has no parent itself.' using errcode = 'IN007';
    end if;
    if parent.mode <> new.mode then
      raise exception 'An operator has the mode of its parent.' using errcode = 'IN007';
    end if;
  end if;
  if exists (select from operators o where o.parent_id = new.operator_id and (new.parent_id is not null or o.mode <> new.mode)) then
    raise exception 'An operator with children has no parent, and keeps the mode of its children.'
      using errcode = 'IN007';
  end if;
  return new;
end $$;
create trigger operators_parent before insert or update of parent_id, mode on operators
  for each row execute function check_parent();

create table api_keys (
  key_id id primary key,
  operator_id id not null references operators,
  key_hash bytea not null unique,
  prefix text not null,
  label text,
  scopes text[] not null default '{}',
  rate_limit integer not null check (rate_limit between 1 and 6000),
  created_at timestamptz not null default now(),
  -- in the future while a rotated key is still in its grace period
  revoked_at timestamptz,
  expires_at timestamptz,
  -- null admits every address
  allowed_addresses cidr[] check (cardinality(allowed_addresses) between 1 and 100),
  check (expires_at > created_at)
);
create index api_keys_operator on api_keys (operator_id);

-- When a key was last used, and from where. Not in api_keys, which is read for every caller twice a second.
create table api_key_uses (
  operator_id id not null,
  key_id id not null references api_keys,
  used_at timestamptz not null,
  address inet,
  primary key (operator_id, key_id)
);

-- Requests of a subject in a minute, over all processes; each adds what it counted every 100 ms (src/operators/rate-counters.ts).
-- Unlogged: a crash forgets at most one minute's counts.
create unlogged table rate_counters (
  subject text collate "C" not null,
  window_start timestamptz not null,
  count bigint not null,
  primary key (subject, window_start)
);

-- End users: the operator's opaque id and the operator's statements about them; nothing else is kept.
create table customers (
  operator_id id not null references operators,
  external_user_id text collate "C" not null check (length(external_user_id) between 1 and 200),
  status text not null default 'active' check (status in ('active', 'suspended')),
  max_wager_minor bigint check (max_wager_minor between 1 and 1000000000),
  period_stake_minor bigint check (period_stake_minor between 1 and 1000000000),
  period_hours integer check (period_hours between 1 and 8760),
  limits_note text check (length(limits_note) <= 500),
  country text check (country ~ '^[A-Z]{2}$'),
  subdivision text,
  asserted_at timestamptz,
  asserted_source text check (asserted_source in ('api', 'embed_session')),
  observed_country text check (observed_country ~ '^[A-Z]{2}$'),
  observed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (operator_id, external_user_id),
  check ((period_stake_minor is null) = (period_hours is null))
);

-- Append-only history of the account limits. `set_by` is the id of the API key of the request. When limits are cleared, they are null.
create table limit_changes (
  operator_id id not null references operators,
  change_no bigint generated always as identity,
  external_user_id text collate "C" not null,
  action text not null check (action in ('set', 'cleared')),
  max_wager_minor bigint,
  period_stake_minor bigint,
  period_hours integer,
  note text,
  set_by id not null,
  recorded_at timestamptz not null,
  primary key (operator_id, change_no)
);
create index limit_changes_customer on limit_changes (operator_id, external_user_id, change_no);
create trigger limit_changes_append_only before update or delete on limit_changes for each row execute function refuse_change();
create trigger limit_changes_keep before truncate on limit_changes for each statement execute function refuse_change();

-- Append-only history of jurisdiction assertions. `set_by` is the id of the API key of the request.
create table jurisdiction_changes (
  operator_id id not null references operators,
  change_no bigint generated always as identity,
  external_user_id text collate "C" not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  subdivision text,
  source text not null check (source in ('api', 'embed_session')),
  set_by id not null,
  recorded_at timestamptz not null,
  primary key (operator_id, change_no)
);
create index jurisdiction_changes_customer on jurisdiction_changes (operator_id, external_user_id, change_no);
create trigger jurisdiction_changes_append_only before update or delete on jurisdiction_changes
  for each row execute function refuse_change();
create trigger jurisdiction_changes_keep before truncate on jurisdiction_changes
  for each statement execute function refuse_change();

-- Append-only history of suspensions. `set_by` is the login of the administrator.
create table suspension_changes (
  operator_id id not null references operators,
  change_no bigint generated always as identity,
  external_user_id text collate "C" not null,
  action text not null check (action in ('suspended', 'resumed')),
  reason text check (length(reason) between 1 and 200),
  set_by text not null,
  recorded_at timestamptz not null default now(),
  primary key (operator_id, change_no)
);
create index suspension_changes_customer on suspension_changes (operator_id, external_user_id, change_no);
create trigger suspension_changes_append_only before update or delete on suspension_changes
  for each row execute function refuse_change();
create trigger suspension_changes_keep before truncate on suspension_changes
  for each statement execute function refuse_change();

-- Changes of the service operator, and who made them: one row before a change begins, one when it has ended. Of no tenant, and append-only
-- for every role. If the process of a change died in between, the change has only its first row. The database names the login: no role may
-- write `login` (sql/grants.sql).
create table audit_log (
  entry_no bigint generated always as identity primary key,
  change_id id not null,
  recorded_at timestamptz not null default clock_timestamp(),
  login text not null default session_user,
  -- the text given with --as
  note text check (length(note) between 1 and 200),
  command text not null,
  arguments text[] not null,
  outcome text not null check (outcome in ('started', 'done', 'failed')),
  -- the error code of the failure
  code text,
  -- the approval that a recorded command requested or decided
  approval_id id,
  unique (change_id, login, outcome)
);
create index audit_log_time on audit_log (recorded_at);
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_keep before truncate on audit_log for each statement execute function refuse_change();

-- The kinds that need approval now.
create table approval_kinds (
  kind text collate "C" primary key check (kind in ('collateral_withdrawal', 'market_reopening', 'market_resolution', 'order_resolution')),
  required_by text not null default session_user,
  required_at timestamptz not null default clock_timestamp()
);

-- Only request_approval and decide_approval write the requesting and the deciding login.
create table approvals (
  approval_id id primary key,
  -- `approval_rules` is the request to need fewer approvals
  kind text not null check (kind in ('approval_rules', 'collateral_withdrawal', 'market_reopening', 'market_resolution', 'order_resolution')),
  -- the command, and the facts on which it was decided
  request json not null,
  -- the same for people
  summary text not null,
  requested_by text not null,
  requested_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  decision text check (decision in ('approved', 'refused')),
  decided_by text,
  decided_at timestamptz,
  -- why it was refused
  reason text,
  -- of an approved request: whether it was carried out, or the error code of what prevented it
  outcome text check (outcome in ('done', 'failed')),
  code text,
  ended_at timestamptz,
  constraint decided_before_it_expires check (decided_at <= expires_at),
  constraint refused_with_a_reason check (decision is distinct from 'refused' or reason is not null),
  constraint outcome_of_an_approval check (outcome is null or decision is not distinct from 'approved'),
  constraint outcome_is_complete check ((outcome is null) = (ended_at is null) and (outcome is not distinct from 'failed') = (code is not null)),
  constraint approved_by_another check (decision is distinct from 'approved' or decided_by <> requested_by),
  constraint decision_is_complete check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at is null))
);
create index approvals_open on approvals (expires_at) where decision is null;

-- A request never changes, is decided once and ends once.
create function refuse_approval_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'approvals are kept' using errcode = 'IN002';
  end if;
  if row(new.approval_id, new.kind, new.request::text, new.summary, new.requested_by, new.requested_at, new.expires_at)
      is distinct from row(old.approval_id, old.kind, old.request::text, old.summary, old.requested_by, old.requested_at, old.expires_at)
    or (old.decision is not null and row(new.decision, new.decided_by, new.decided_at, new.reason)
      is distinct from row(old.decision, old.decided_by, old.decided_at, old.reason))
    or old.outcome is not null then
    raise exception 'approval % was decided or ended already', old.approval_id using errcode = 'IN002';
  end if;
  return new;
end $$;
create trigger approvals_decided_once before update on approvals for each row execute function refuse_approval_change();
create trigger approvals_kept before delete or truncate on approvals for each statement execute function refuse_approval_change();

-- ------------------------------------------------------------------------------------------------
-- Markets: events, contracts, listings, prices

-- Markets: the catalogue, books, results and price history that ingestion records and every board follows.
-- A statement that changes a row which boards show first takes the next number of board_revision and
-- writes it to the row. The counter's row lock is held to the commit, so revisions become visible in their order and
-- "revision > the last one seen" misses nothing.
create table board_revision (
  one boolean primary key default true check (one),
  revision bigint not null
);
insert into board_revision (revision) values (0);

create table events (
  event_id id primary key,
  slug text collate "C" not null unique,
  -- position of the venue that describes the event in the deployment's list of venues; the lowest wins
  rank smallint not null,
  -- hash of the venue's report, so that an unchanged repetition writes nothing
  digest text not null,
  title text not null,
  subtitle text,
  translations jsonb not null default '{}',
  category text not null,
  categories text[] not null,
  sport text,
  league text,
  event_type text check (event_type in ('game', 'future')),
  live_match jsonb,
  image_source_url text,
  kind text not null check (kind in ('binary', 'mutually_exclusive', 'cumulative_ladder', 'ambiguous')),
  level_format text,
  opens_at timestamptz not null,
  closes_at timestamptz not null,
  volume_micros bigint not null check (volume_micros >= 0),
  volume_24h_micros bigint not null check (volume_24h_micros >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision bigint not null,
  check (category = any (categories))
);
create index events_revision on events (revision);

-- A support person has verified that the listings of a group are one contract; without that no order is routed between venues.
create table routing_groups (
  group_key text collate "C" primary key,
  verified_by text,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  -- routing ends if a listing's terms change or another listing joins the contract, until a support person verifies it again
  ended_at timestamptz,
  ended_because text check (ended_because in ('listing_joined', 'terms_changed', 'unmatched')),
  note text,
  compared json,
  check ((verified_by is null) = (verified_at is null)),
  check ((ended_at is null) = (ended_because is null)),
  check (ended_at is null or verified_at is null)
);

-- Book changes touch book_revision only, which no index holds, so that they stay within the page (HOT).
create table contracts (
  contract_id id primary key,
  event_id id not null references events,
  status text not null check (status in ('open', 'closed', 'paused', 'resolved', 'voided')),
  trading_closed boolean not null,
  five_minute boolean not null,
  category text not null,
  closes_at timestamptz not null,
  resolution text check (resolution in ('YES', 'NO', 'VOID', 'SPLIT')),
  split_yes_micros bigint check (split_yes_micros between 1 and 999999),
  resolved_at timestamptz,
  resolved_by text check (resolved_by in ('venue', 'operator')),
  book_revision bigint not null default 0,
  -- the venue's report, kept beside the service operator's decision
  rank smallint not null,
  digest text not null,
  venue_status text not null check (venue_status in ('open', 'closed', 'paused', 'resolved', 'voided')),
  venue_resolution text check (venue_resolution in ('YES', 'NO', 'VOID', 'SPLIT')),
  venue_split_yes_micros bigint,
  operator_paused boolean not null default false,
  group_key text collate "C" references routing_groups,
  position integer not null,
  label text not null,
  yes_label text,
  no_label text,
  translations jsonb not null default '{}',
  team_logo_url text,
  team_color text,
  team_marks text[],
  team_abbr text,
  sports_market_type text,
  threshold numeric,
  direction text check (direction in ('above', 'below')),
  volume_micros bigint not null check (volume_micros >= 0),
  volume_24h_micros bigint not null check (volume_24h_micros >= 0),
  last_price_micros bigint,
  source_price_micros bigint,
  price_24h_ago_micros bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision bigint not null,
  -- version of the row in contract_resolutions that is in force; 0 if there was none
  resolution_version integer not null default 0 check (resolution_version >= 0),
  matched boolean not null default false,
  inverse boolean not null default false,
  rules jsonb,
  check ((resolution is null) = (status not in ('resolved', 'voided'))),
  check ((resolution is null) = (resolved_at is null)),
  check ((resolution is null) = (resolved_by is null)),
  check ((resolution is not distinct from 'SPLIT') = (split_yes_micros is not null))
) with (fillfactor = 70);
create index contracts_event on contracts (event_id);
create index contracts_revision on contracts (revision);
create index contracts_group on contracts (group_key) where group_key is not null;
create index contracts_unresolved on contracts (closes_at) where resolution is null;
create index contracts_resolved on contracts (resolved_at) where resolution is not null;

-- One contract as one venue lists it, with its raw book (prices of YES in micro-dollars, best first).
create table listings (
  venue text collate "C" not null,
  listing_id text collate "C" not null,
  contract_id id not null references contracts,
  rank smallint not null,
  bid_prices bigint[] not null default '{}',
  bid_sizes bigint[] not null default '{}',
  ask_prices bigint[] not null default '{}',
  ask_sizes bigint[] not null default '{}',
  feed text not null default 'rest' check (feed in ('websocket', 'rest')),
  venue_sequence bigint,
  -- the venue connection that last delivered this book; heartbeats of that connection confirm it unchanged
  session bigint not null default 0,
  book_updated_at timestamptz,
  book_confirmed_at timestamptz,
  book_revision bigint not null default 0,
  fee_model text not null check (fee_model in ('of_cost', 'of_variance')),
  fee_bps integer not null check (fee_bps between 0 and 10000),
  fee_known boolean not null,
  -- beside it: of the cost, for the builder that brings the venue the order
  fee_broker_bps integer not null default 0 check (fee_broker_bps between 0 and 10000),
  minimum_minor bigint not null check (minimum_minor >= 0),
  minimum_quantity_micros bigint not null check (minimum_quantity_micros >= 0),
  quantity_step_micros bigint not null check (quantity_step_micros > 0),
  tick_micros bigint not null default 1 check (tick_micros > 0),
  created_at timestamptz not null default now(),
  revision bigint not null,
  -- hash of rules text, closing time and outcome names
  terms text,
  wording jsonb,
  -- Parts of a venue that keep collateral apart: a market lives on one of them, and only our account's money on that part pays an order
  -- there. A listing has no part if its venue keeps all money in one place.
  part smallint,
  traded_micros bigint,
  traded_price_micros bigint,
  primary key (venue, listing_id),
  check (cardinality(bid_prices) = cardinality(bid_sizes) and cardinality(ask_prices) = cardinality(ask_sizes)),
  constraint listings_traded check (traded_micros >= 0 and traded_price_micros between 0 and 1000000)
);
create index listings_contract on listings (contract_id);
create index listings_revision on listings (revision);

-- The state of the connection to each venue; confirmed_at is a heartbeat, about once a second.
create table venue_feeds (
  venue text collate "C" primary key,
  connected boolean not null,
  session bigint not null,
  confirmed_at timestamptz,
  last_sync_at timestamptz,
  revision bigint not null,
  -- no longer a venue of the deployment, so that it is not reported as a silent feed
  retired boolean not null default false
);

-- Every result that a contract was given, in order: null is a withdrawal. Results that the venue reported while the service operator's own
-- resolution was in force are not applied.
create table contract_resolutions (
  contract_id id not null references contracts,
  version integer not null check (version > 0),
  resolution text check (resolution in ('YES', 'NO', 'VOID', 'SPLIT')),
  split_yes_micros bigint check (split_yes_micros between 1 and 999999),
  source text not null check (source in ('venue', 'operator')),
  applied boolean not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (contract_id, version),
  check ((resolution is not distinct from 'SPLIT') = (split_yes_micros is not null))
);
create trigger contract_resolutions_append_only before update or delete on contract_resolutions
  for each row execute function refuse_change();
create trigger contract_resolutions_keep before truncate on contract_resolutions
  for each statement execute function refuse_change();

-- Reference prices of YES: the first one of each minute (kept a day), of each five (a week) and of each hour (kept).
create table price_history (
  contract_id id not null references contracts,
  step_minutes smallint not null check (step_minutes in (1, 5, 60)),
  at timestamptz not null,
  price_micros bigint not null check (price_micros between 1 and 999999),
  primary key (contract_id, step_minutes, at)
);
create index price_history_age on price_history (at) where step_minutes < 60;

-- The course of an event's subject: the price of a coin (kept a day), or the score of a match whenever it changed (kept).
create table event_course (
  event_id id not null references events,
  at timestamptz not null,
  coin_price numeric check (coin_price > 0),
  home_score smallint,
  away_score smallint,
  primary key (event_id, at),
  check (num_nonnulls(coin_price, home_score) = 1 and (home_score is null) = (away_score is null))
);
create index event_course_age on event_course (at) where coin_price is not null;

-- ------------------------------------------------------------------------------------------------
-- Types of what a money statement is given

-- A quote as it was decided, or as the market refuses it (src/trading/quotes/issue-quote.ts).
create type quote_command as (
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
  quantity_micros bigint,
  hold_seconds integer,
  simulated boolean,
  venue text,
  routing_reason text,
  considered_venues integer,
  levels jsonb,
  book_revision bigint,
  refusal text
);

-- What a money statement needs of a market, as it was at a moment.
create type known_market as (
  status text,
  trading_closed boolean,
  operator_paused boolean,
  closes_at timestamptz,
  book_revision bigint,
  read_at timestamptz
);

-- A position that is paid, and the facts on which its payment was decided (src/settlement/settle-positions.ts). The resolution has no
-- version if a sandbox tester requested it.
create type payout as (
  position_id text,
  version bigint,
  external_user_id text,
  contract_id text,
  resolution_version integer,
  cost_minor bigint,
  lifetime_minor bigint,
  simulated boolean
);

-- ------------------------------------------------------------------------------------------------
-- The journal

create type journal_kind as enum ('order_executed', 'order_recorded', 'reserve_confirmed', 'order_withdrawn', 'order_sent',
  'order_answered', 'order_filled', 'contracts_bought', 'contracts_sold', 'overrun_posted', 'authorization_released', 'order_ended',
  'position_settled', 'wallet_funded', 'collateral_moved', 'resolution_changed');
create type contract_side as enum ('YES', 'NO');
create type order_action as enum ('buy', 'sell');
create type order_status as enum ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'filled', 'rejected',
  'cancelled', 'pending');
create type transmission_state as enum ('not_transmitted', 'unknown', 'resolved');
create type order_intent as enum ('record_intent', 'simulate');
create type routing_reason as enum ('single_venue', 'best_price', 'unverified_group');
create type money_source as enum ('wallet', 'collateral', 'cash');
create type other_account as enum ('sandbox:float', 'deposits', 'overrun', 'fees:returned');
create type resolution_word as enum ('YES', 'NO', 'VOID', 'SPLIT');
create type settlement_outcome as enum ('won', 'lost', 'void');

-- One row per operator: the last sequence of its feed, and the balances of the house's accounts, in signed cents. It is locked last in
-- every money statement; fillfactor leaves room for updates in place.
create table operator_ledgers (
  operator_id id primary key references operators,
  sequence bigint not null default 0 check (sequence >= 0),
  -- the time of the last row of the journal: none is recorded earlier
  recorded_at timestamptz,
  -- The end of the operator's last closed period. The next row is never recorded before recorded_at, so the constraint keeps
  -- every later row out of the closed period even if the clock of the machine is set back.
  closed_until timestamptz,
  stakes bigint not null default 0,
  result bigint not null default 0,
  platform_fees bigint not null default 0,
  venue_fees bigint not null default 0,
  collateral_available bigint not null default 0,
  collateral_committed bigint not null default 0,
  operator_cash bigint not null default 0,
  sandbox_float bigint not null default 0,
  deposits bigint not null default 0,
  overrun bigint not null default 0,
  fees_returned bigint not null default 0,
  -- debts to the operator are liabilities, which are negative
  constraint collateral_not_overdrawn check (collateral_available <= 0 and collateral_committed <= 0),
  constraint next_row_after_closed_period check (closed_until is null or recorded_at is not null and closed_until <= recorded_at)
) with (fillfactor = 20);

-- Simulated money of a sandbox customer, in signed cents: free to stake, and held for open orders. A liability, which is negative.
create table wallets (
  operator_id id not null,
  external_user_id text collate "C" not null,
  available bigint not null default 0,
  held bigint not null default 0,
  primary key (operator_id, external_user_id),
  foreign key (operator_id, external_user_id) references customers,
  constraint wallet_not_overdrawn check (available <= 0 and held <= 0)
) with (fillfactor = 50);

create function is_balanced(p_available bigint, p_held bigint, p_stakes bigint, p_result bigint, p_platform_fees bigint,
  p_venue_fees bigint, p_other bigint) returns boolean language plpgsql immutable parallel safe as $$
begin
  return coalesce(p_available, 0) + coalesce(p_held, 0) + coalesce(p_stakes, 0) + coalesce(p_result, 0) + coalesce(p_platform_fees, 0)
    + coalesce(p_venue_fees, 0) + coalesce(p_other, 0) = 0;
end $$;

-- One row for each change of an operator's money, orders and positions; src/wire/journal.ts gives the meaning of the columns for each kind.
-- Amounts are cents, prices micro-dollars, quantities micro-contracts. A unique key of a partitioned table contains the partition's column,
-- so that the counter, not the key, keeps a sequence from being given twice.
create table journal (
  operator_id id not null,
  -- how many positions of the feed it takes
  items smallint not null check (items between 1 and 16),
  kind journal_kind not null,
  external_user_id text collate "C",
  order_id id,
  position_id id,
  contract_id id,
  -- the shared digits of the ids of its items; null if these are the digits of the order
  digits uuid,
  -- the order after the row
  side contract_side,
  action order_action,
  status order_status,
  from_status order_status,
  transmission_state transmission_state,
  simulated boolean,
  client_order_id text collate "C",
  execution_ref text collate "C",
  fee_bps smallint,
  authorization_minor bigint,
  trade_minor bigint,
  platform_fee_minor bigint,
  venue_fee_minor bigint,
  venue_fee_known boolean,
  filled_quantity_micros bigint,
  price_weight numeric,
  -- its terms
  quote_id id,
  intent order_intent,
  quoted_price_micros bigint,
  slippage_micros bigint,
  quoted_fee_minor bigint,
  quoted_trade_minor bigint,
  quoted_quantity_micros bigint,
  venue text collate "C",
  routing_reason routing_reason,
  considered_venues smallint,
  scenario_id id,
  -- the request to a venue, beside quantity and limit
  spend_micros bigint,
  our_id text collate "C",
  valid_seconds smallint,
  -- a fill
  fill_no integer,
  quantity_micros bigint,
  price_micros bigint,
  fill_trade_minor bigint,
  fill_platform_fee_minor bigint,
  fill_venue_fee_minor bigint,
  fill_fee_known boolean,
  fill_fee_micros bigint,
  venue_fill_id text collate "C",
  earned_micros bigint,
  partial boolean,
  -- contracts that leave a position
  fee_share_minor bigint,
  remaining_quantity_micros bigint,
  entry_price_micros bigint,
  venue_agrees boolean,
  is_loss boolean,
  resolution resolution_word,
  yes_worth_micros bigint,
  resolution_version integer,
  outcome settlement_outcome,
  lifetime_pnl_minor bigint,
  -- the double entry: signed cents of each account, a debit positive
  funds money_source,
  other_account other_account,
  available bigint,
  held bigint,
  stakes bigint,
  result bigint,
  platform_fees bigint,
  venue_fees bigint,
  other bigint,
  effective_at timestamptz,
  -- words
  reason text,
  cancellation_id id,
  memo text,
  reference text,
  detail json,
  -- Columns that append_to_journal fills; every column before is of the command (the view journal_row): the position of its first item in
  -- the operator's feed; the version of its rendering; when it was recorded; when the command was decided, which is the time of the order,
  -- of its fill and of its position; and the balance of each account after it.
  sequence bigint not null check (sequence > 0),
  version smallint not null default 1,
  recorded_at timestamptz not null,
  decided_at timestamptz not null,
  available_after bigint,
  held_after bigint,
  stakes_after bigint,
  result_after bigint,
  platform_fees_after bigint,
  venue_fees_after bigint,
  other_after bigint,
  primary key (operator_id, sequence, recorded_at),
  constraint debits_equal_credits check (is_balanced(available, held, stakes, result, platform_fees, venue_fees, other)),
  constraint money_has_an_account check ((funds is not null or available is null and held is null) and (other_account is not null or other is null))
) partition by range (recorded_at);
-- each month has a partition (make_partitions); this one holds earlier rows
create table journal_rest partition of journal default;
-- only the owner reads or writes a partition by its name
alter table journal_rest enable row level security;
create index journal_by_customer on journal (operator_id, external_user_id, sequence) where external_user_id is not null;
create index journal_by_kind on journal (operator_id, kind, sequence);
create index journal_by_order on journal (order_id, sequence) where order_id is not null;
create index journal_by_digits on journal (digits) where digits is not null;
-- entries that an administrator dated
create index journal_dated on journal (operator_id, sequence) where effective_at is not null;
-- The fills of orders that were sent, for the accounts at venues: a small part of the rows
create index journal_fills on journal (operator_id, order_id) where kind = 'order_filled';
-- The settlements of a contract, for changes of its result; and, with a customer, the one of a position
create index journal_settlements on journal (contract_id, operator_id, external_user_id) where kind = 'position_settled';
-- Exits that the venue reports differently: a report lists them
create index journal_disagreements on journal (operator_id, sequence) where not venue_agrees;
create trigger journal_append_only before update or delete on journal for each row execute function refuse_change();
create trigger journal_keep before truncate on journal for each statement execute function refuse_change();
-- truncating a partition by its name does not fire the triggers of the table
create trigger journal_rest_keep before truncate on journal_rest for each statement execute function refuse_change();

-- ------------------------------------------------------------------------------------------------
-- The feed and the ledger

-- A date in a closed period is refused for every role and function. The share lock waits for a close that is under way.
create function refuse_closed_period() returns trigger language plpgsql as $$
declare
  closed timestamptz;
begin
  if new.effective_at > new.recorded_at then
    raise exception 'an entry of % takes effect after it is recorded', new.operator_id using errcode = 'IN006';
  end if;
  select closed_until into closed from operator_ledgers where operator_id = new.operator_id for share;
  if least(new.effective_at, new.recorded_at) < closed then
    raise exception 'an entry of % is dated in a closed period, which ended at %', new.operator_id, closed using errcode = 'IN006';
  end if;
  return new;
end $$;
create trigger journal_open_period before insert on journal
  for each row when (new.effective_at is not null or new.recorded_at < now()) execute function refuse_closed_period();
-- A row of the journal as a command sends it: the columns before those that append_to_journal gives, without the constraints.
do $$
begin
  execute (select format('create view journal_row with (security_invoker = true) as select %s from journal limit 0',
      string_agg(quote_ident(attname), ', ' order by attnum))
    from pg_attribute where attrelid = 'journal'::regclass and attnum > 0
      and attnum < (select attnum from pg_attribute where attrelid = 'journal'::regclass and attname = 'sequence'));
end $$;

-- The names of movements and accounts, as src/ledger/render/entry.ts writes them (test/ledger/ledger-lines.test.ts compares the two):
-- the movement of a row that has amounts, and the account of money that is available, or held for an order. Without `case x when` over an enum, which Citus
-- writes wrongly, and without a cast of an enum to text, which it runs on no other server.
create function movement_type(p_kind journal_kind, p_action order_action, p_other bigint)
returns text language sql immutable parallel safe as $$
  select case when p_kind in ('order_recorded', 'reserve_confirmed') then 'ORDER_HOLD'
    when p_kind in ('order_withdrawn', 'authorization_released') then 'ORDER_RELEASE'
    when p_kind = 'overrun_posted' then 'VENUE_OVERRUN' when p_kind = 'position_settled' then 'POSITION_SETTLEMENT'
    when p_kind = 'wallet_funded' then 'SANDBOX_CREDIT'
    when p_kind = 'collateral_moved' then case when p_other > 0 then 'COLLATERAL_DEPOSIT' else 'COLLATERAL_WITHDRAWAL' end
    when p_action = 'sell' then 'POSITION_EXIT' else 'ORDER_FILL' end
$$;
create function money_account(p_funds money_source, p_held boolean, p_external_user_id text)
returns text language sql immutable parallel safe as $$
  select case when p_funds = 'cash' then 'operator:cash'
    when p_funds = 'collateral' then case when p_held then 'collateral:committed' else 'collateral:available' end
    when p_funds = 'wallet' then case when p_held then 'hold:' else 'wallet:' end || p_external_user_id end
$$;
create function other_account_name(p_account other_account)
returns text language sql immutable parallel safe as $$
  select case when p_account = 'sandbox:float' then 'sandbox:float' when p_account = 'deposits' then 'deposits'
    when p_account = 'overrun' then 'overrun' when p_account = 'fees:returned' then 'fees:returned' end
$$;

-- The lines of the double entries, one row each. Amounts are signed cents: a debit is positive, a credit negative.
create view ledger_lines with (security_invoker = true) as
  select row.operator_id, row.sequence, line.line_no, row.recorded_at, row.effective_at,
    movement_type(row.kind, row.action, row.other) as movement_type, line.account_id collate "C" as account_id, line.amount,
    line.balance_after
  from journal row cross join lateral (values
    (1, money_account(row.funds, false, row.external_user_id), row.available, row.available_after),
    (2, money_account(row.funds, true, row.external_user_id), row.held, row.held_after),
    (3, 'stakes', row.stakes, row.stakes_after), (4, 'result', row.result, row.result_after),
    (5, 'fees:platform', row.platform_fees, row.platform_fees_after), (6, 'fees:venue', row.venue_fees, row.venue_fees_after),
    (7, other_account_name(row.other_account), row.other, row.other_after)) line(line_no, account_id, amount, balance_after)
  where line.amount is not null;

-- The fills of orders that were sent, one row each, with the fee that a later response brought.
create view order_fills with (security_invoker = true) as
  select row.operator_id, row.order_id, row.fill_no, row.quantity_micros, row.price_micros, row.venue_fill_id, row.decided_at as filled_at,
    coalesce(row.fill_fee_micros, late.fee_micros) as fee_micros, coalesce(row.earned_micros, late.earned_micros, 0) as earned_micros
  from journal row left join lateral (
    select (answer.detail -> 'fees' ->> row.fill_no::text)::bigint as fee_micros,
      (answer.detail -> 'earned' ->> row.fill_no::text)::bigint as earned_micros
    from journal answer
    where row.fill_fee_micros is null and answer.operator_id = row.operator_id and answer.order_id = row.order_id
      and answer.kind = 'order_answered' and answer.detail -> 'fees' ->> row.fill_no::text is not null limit 1) late on true
  where row.kind = 'order_filled';

-- The current balance of each account, in signed cents.
create view account_balances with (security_invoker = true) as
  select ledger.operator_id, account.account_id collate "C" as account_id, account.balance
  from operator_ledgers ledger cross join lateral (values ('stakes', ledger.stakes), ('result', ledger.result),
    ('fees:platform', ledger.platform_fees), ('fees:venue', ledger.venue_fees), ('collateral:available', ledger.collateral_available),
    ('collateral:committed', ledger.collateral_committed), ('operator:cash', ledger.operator_cash),
    ('sandbox:float', ledger.sandbox_float), ('deposits', ledger.deposits), ('overrun', ledger.overrun),
    ('fees:returned', ledger.fees_returned)) account(account_id, balance)
  union all
  select wallet.operator_id, account.account_id collate "C", account.balance
  from wallets wallet cross join lateral (values (money_account('wallet', false, wallet.external_user_id), wallet.available),
    (money_account('wallet', true, wallet.external_user_id), wallet.held)) account(account_id, balance);

-- The references of an operator's deposits and withdrawals, which are rows of the journal: none is used twice.
create table collateral_references (
  operator_id id not null references operators,
  -- the service operator's name for the movement: a bank's reference, a ticket. A repetition moves nothing
  reference text collate "C" not null check (length(reference) between 1 and 200),
  -- position of its collateral.moved item in the operator's feed; its ledger entry is right before it
  sequence bigint not null,
  primary key (operator_id, reference)
);
create unique index collateral_references_sequence on collateral_references (operator_id, sequence);
create trigger collateral_references_append_only before update or delete on collateral_references
  for each row execute function refuse_change();
create trigger collateral_references_keep before truncate on collateral_references
  for each statement execute function refuse_change();

create table accounting_periods (
  operator_id id not null references operators,
  number integer not null check (number > 0),
  -- the first period begins at 1970-01-01, every other one at the end of the last
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

-- ------------------------------------------------------------------------------------------------
-- The log of the feed

-- A tile only grows to the right and a log only grows: not even the owner can rewrite them without dropping these triggers.
create function refuse_tile_rewrite() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or tg_op = 'TRUNCATE' then
    raise exception '% is append-only', tg_table_name using errcode = 'IN002';
  elsif row(new.operator_id, new.level, new.tile) <> row(old.operator_id, old.level, old.tile)
     or substring(new.hashes from 1 for length(old.hashes)) <> old.hashes then
    raise exception 'a tile of the log of % was to be rewritten', old.operator_id using errcode = 'IN002';
  end if;
  return new;
end $$;
create function refuse_head_rewrite() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or tg_op = 'TRUNCATE' then
    raise exception '% is append-only', tg_table_name using errcode = 'IN002';
  elsif new.operator_id <> old.operator_id or new.size < old.size or (new.size = old.size and new.root <> old.root) then
    raise exception 'the log of % does not go back', old.operator_id using errcode = 'IN002';
  end if;
  return new;
end $$;

create table feed_log_tiles (
  operator_id id not null references operators,
  -- a hash of level L stands for the 256^L items below it
  level smallint not null check (level between 0 and 6),
  tile bigint not null check (tile >= 0),
  hashes bytea not null check ((length(hashes) % 32) = 0 and length(hashes) between 32 and 8192),
  primary key (operator_id, level, tile)
);
-- hashes do not compress
alter table feed_log_tiles alter column hashes set storage external;
create trigger feed_log_tiles_grow before update or delete on feed_log_tiles for each row execute function refuse_tile_rewrite();
create trigger feed_log_tiles_keep before truncate on feed_log_tiles for each statement execute function refuse_tile_rewrite();

create table feed_log_heads (
  operator_id id primary key references operators,
  size bigint not null check (size >= 0),
  root bytea not null check (length(root) = 32),
  -- the checkpoint over both, signed with a key that the database does not hold
  note text not null,
  -- the public half of that key, in the form of C2SP signed-note
  verifier_key text not null,
  sealed_at timestamptz not null default clock_timestamp()
);
create trigger feed_log_heads_grow before update or delete on feed_log_heads for each row execute function refuse_head_rewrite();
create trigger feed_log_heads_keep before truncate on feed_log_heads for each statement execute function refuse_head_rewrite();

-- The chain of the keys of a log (contract 24.7), without the first one: a row for each change, signed by the key before and by the
-- new one. Checkpoints of more items than `size` are signed with the new one.
create table feed_log_keys (
  operator_id id not null references operators,
  number integer not null check (number > 0),
  size bigint not null check (size >= 0),
  previous_key text,
  verifier_key text not null,
  compromised boolean not null,
  note text not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (operator_id, number)
);
create trigger feed_log_keys_append_only before update or delete on feed_log_keys for each row execute function refuse_change();
create trigger feed_log_keys_keep before truncate on feed_log_keys for each statement execute function refuse_change();

-- ------------------------------------------------------------------------------------------------
-- Trading: quotes, orders, fills, positions, settlements

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
  quantity_micros bigint not null check (quantity_micros > 0),
  simulated boolean not null,
  venue text not null,
  routing_reason text not null check (routing_reason in ('single_venue', 'best_price', 'unverified_group')),
  considered_venues integer not null,
  -- the levels of the book that it takes, best first: price and quantity of its side, in millionths as text
  levels jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (operator_id, quote_id),
  check (action = 'sell' or authorization_minor = (trade_minor + fee_minor))
) partition by range (quote_id);
create table quotes_rest partition of quotes default with (fillfactor = 80);

-- Whether the money of an order is still held: the states that the API reports as `pending` (contract 12.16).
create function is_open_order(p_status text, p_transmission_state text)
returns boolean language sql immutable parallel safe as $$
  select p_status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'pending')
    or (p_status = 'partially_filled' and p_transmission_state <> 'resolved')
$$;

-- Orders and positions have no foreign key to operators: it costs a look-up and a row lock for each row that is written. They
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
  status text not null check (status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'filled', 'rejected', 'cancelled', 'pending')),
  transmission_state text not null check (transmission_state in ('not_transmitted', 'unknown', 'resolved')),
  simulated boolean not null,
  price_micros bigint not null,
  slippage_micros bigint not null default 0 check (slippage_micros between 0 and 50000),
  fee_bps integer not null,
  authorization_minor bigint not null,
  quoted_fee_minor bigint not null,
  quoted_trade_minor bigint not null,
  quoted_quantity_micros bigint not null check (quoted_quantity_micros > 0),
  filled_quantity_micros bigint not null default 0 check (filled_quantity_micros >= 0),
  -- sum of quantity times price over the fills, in 1e-12 dollars
  price_weight numeric not null default 0,
  trade_minor bigint not null default 0 check (trade_minor >= 0),
  platform_fee_minor bigint not null default 0 check (platform_fee_minor >= 0),
  venue_fee_minor bigint not null default 0 check (venue_fee_minor >= 0),
  venue_fee_known boolean not null default false,
  position_id id,
  scenario_id id,
  reject_reason text,
  routing_reason text not null,
  considered_venues integer not null,
  venue text not null,
  -- the levels of the book that its quote took
  levels jsonb not null,
  armed boolean not null default false,
  reserve_reference text check (length(reserve_reference) <= 200),
  cancellation_id id,
  cancel_reason text,
  -- raised by every transition; one that was decided on an older version is decided again
  version bigint not null default 1,
  -- times from the money statements
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reserve_confirmed_at timestamptz,
  cancelled_at timestamptz,
  transmitted_at timestamptz,
  -- amounts that follow from others; no command writes them
  debit_minor bigint not null generated always as (case action when 'buy' then trade_minor + platform_fee_minor + venue_fee_minor else 0 end) stored
    check (debit_minor >= 0),
  release_minor bigint not null generated always as (
    case action when 'buy' then authorization_minor - trade_minor - platform_fee_minor - venue_fee_minor else 0 end) stored
    check (release_minor >= 0),
  proceeds_minor bigint not null generated always as (case action when 'sell' then trade_minor - platform_fee_minor - venue_fee_minor else 0 end) stored
    check (proceeds_minor >= 0),
  -- the amount that counts in a customer's period window: the authorization while the order is open, the debit afterwards
  counted_stake_minor bigint not null generated always as (case when action = 'sell' then 0 when is_open_order(status, transmission_state)
    then authorization_minor else trade_minor + platform_fee_minor + venue_fee_minor end) stored,
  primary key (operator_id, order_id),
  constraint orders_idempotency unique (operator_id, external_user_id, client_order_id),
  constraint orders_never_sent check ((status not in ('reserve_pending', 'pending_venue_execution')) or transmission_state = 'not_transmitted'),
  constraint orders_withdrawn_unsent check (cancellation_id is null or transmission_state = 'not_transmitted')
) with (fillfactor = 100);
create index orders_customer on orders (operator_id, external_user_id, order_id);
create unique index orders_execution_ref on orders (execution_ref, operator_id);
create index orders_transmitted on orders (operator_id, external_user_id, transmitted_at) where transmitted_at is not null and action = 'buy' and not simulated;
create index orders_open on orders (operator_id, status, order_id) where status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'pending');
create unique index orders_quote on orders (quote_id, operator_id);

-- A row of `orders` as a value: the same columns without the constraints, whose texts PostgreSQL copies wherever rows of the table's own
-- type are unnested (a tenth of the time of a purchase), and without the amounts that follow from others.
do $$
begin
  execute (select format('create view order_row with (security_invoker = true) as select %s from orders limit 0',
      string_agg(quote_ident(attname), ', ' order by attnum))
    from pg_attribute where attrelid = 'orders'::regclass and attnum > 0 and attgenerated = '');
end $$;

-- The effects of a command beside writing its order, and the facts on which it was decided; the order itself is a row of `orders`. Null has
-- no effect.
create type order_effects as (
  -- the versions of position and book on which it was decided, and the market's refusal
  position_version bigint,
  book_revision bigint,
  refusal text,
  late_refusal text,
  -- the amounts that it takes from a wallet and from the operator's collateral, and its change of exposure
  wallet_minor bigint,
  collateral_minor bigint,
  exposure_minor bigint,
  -- contracts that are bought, and the position that they open if none is open
  opens_position_id text,
  add_quantity_micros bigint,
  add_cost_minor bigint,
  add_fees_minor bigint,
  add_weight numeric,
  -- contracts that are sold, held back (or released, below zero)
  take_quantity_micros bigint,
  cost_share_minor bigint,
  fee_share_minor bigint,
  weight_share numeric,
  add_realised_minor bigint,
  hold_quantity_micros bigint,
  -- its attempt at a venue
  begins boolean,
  adopts boolean,
  attempt json,
  attempt_state text,
  attempt_not_found integer,
  lookup_in_seconds double precision
);

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
create trigger orders_transition before update of status on orders
  for each row execute function refuse_unknown_transition();
-- Only the statuses that no order begins with use the list: a look-up for each new order would take a twentieth of its time.
create trigger orders_first_status before insert on orders
  for each row when (new.status in ('submitted', 'pending')) execute function refuse_unknown_transition();

-- Every transition of contract 12.2 to 12.15; the one list that code and database share.
create table order_transitions (
  from_status text not null,
  to_status text not null,
  why text not null,
  primary key (from_status, to_status)
);
insert into order_transitions (from_status, to_status, why) values
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

create table positions (
  operator_id id not null,
  position_id id not null,
  external_user_id text collate "C" not null,
  contract_id id not null,
  side text not null check (side in ('YES', 'NO')),
  simulated boolean not null,
  status text not null default 'open' check (status in ('open', 'closed', 'settled')),
  quantity_micros bigint not null check (quantity_micros >= 0),
  -- contracts in a sell that may be at a venue
  held_quantity_micros bigint not null default 0,
  cost_basis_minor bigint not null check (cost_basis_minor >= 0),
  entry_fees_minor bigint not null,
  price_weight numeric not null,
  average_price_micros bigint not null,
  realised_pnl_minor bigint not null default 0,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  -- raised by every change; an exit decided on an older one is decided again
  version bigint not null default 1,
  primary key (operator_id, position_id),
  check (held_quantity_micros >= 0 and held_quantity_micros <= quantity_micros),
  check (entry_fees_minor >= 0 and entry_fees_minor <= cost_basis_minor),
  check (status = 'open' or quantity_micros = 0 and cost_basis_minor = 0),
  check (status <> 'open' or quantity_micros > 0)
) with (fillfactor = 80);
create unique index positions_open on positions (operator_id, external_user_id, contract_id, side, simulated) where status = 'open';
create index positions_customer on positions (operator_id, external_user_id, position_id);
create index positions_contract on positions (contract_id, operator_id, external_user_id, position_id) where status = 'open';

-- Live contracts keep their venue.
create table position_holdings (
  operator_id id not null,
  position_id id not null,
  venue text not null,
  quantity_micros bigint not null check (quantity_micros >= 0),
  held_quantity_micros bigint not null default 0,
  primary key (operator_id, position_id, venue),
  foreign key (operator_id, position_id) references positions,
  check (held_quantity_micros >= 0 and held_quantity_micros <= quantity_micros)
);

-- Authorizations of unresolved transmitted live buys plus the cost basis of open live positions, kept by the money
-- statements: one row a player, and the operator's total under the empty id, which is locked after all players.
create table exposures (
  operator_id id not null references operators,
  external_user_id text collate "C" not null,
  exposure_minor bigint not null default 0 check (exposure_minor >= 0),
  primary key (operator_id, external_user_id)
) with (fillfactor = 50);

-- ------------------------------------------------------------------------------------------------
-- The venues: what was sent, what they reported, who is held back

-- One attempt per order, ever: written with the transition to `submitted`, before any byte is sent.
create table transmissions (
  operator_id id not null,
  order_id id not null,
  -- our own id at the venue, and the request to the venue
  our_id text collate "C" not null,
  venue text not null,
  listing_id text not null,
  side text not null,
  action text not null,
  quantity_micros bigint not null check (quantity_micros > 0),
  limit_price_micros bigint not null check (limit_price_micros between 1 and 999999),
  sent_at timestamptz not null,
  -- after this the venue itself refuses the order
  expires_at timestamptz not null,
  -- sending and unknown: look it up; working: it may still fill; reading_fee: all but a fee is known; done: final
  state text not null check (state in ('sending', 'unknown', 'working', 'reading_fee', 'done')),
  lookups integer not null default 0,
  -- "not found" answers in a row, counted only after expires_at and a minute
  not_found integer not null default 0,
  next_lookup_at timestamptz not null,
  answered_at timestamptz,
  -- why it is certain that the venue does not have the order: it was never written to the wire, or the venue refused to read it; null if it
  -- may be there, or has a response
  not_sent text,
  venue_ref text collate "C",
  -- the venue's terms with which it was prepared, as its adapter wrote them: the fees of its fills depend on them
  venue_terms text,
  spend_micros bigint,
  primary key (operator_id, order_id),
  unique (our_id, operator_id),
  foreign key (operator_id, order_id) references orders
) with (fillfactor = 80);
create index transmissions_due on transmissions (next_lookup_at) where state <> 'done';
create index transmissions_venue_ref on transmissions (venue_ref, venue) where venue_ref is not null;

-- A venue's report about an order that a support person has to look at, word for word.
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
create trigger venue_evidence_append_only before update or delete on venue_evidence for each row execute function refuse_change();
create trigger venue_evidence_keep before truncate on venue_evidence for each statement execute function refuse_change();

-- When our account at a venue was last compared with the books.
create table venue_accounts (
  venue text collate "C" primary key,
  -- null until the first comparison has ended
  compared_at timestamptz,
  -- everything before it was compared
  compared_until timestamptz,
  offset_ms integer,
  balance_micros bigint,
  opening_micros bigint,
  -- payments in or out that the venue lists since then are booked; earlier ones are in the opening balance
  opening_at timestamptz,
  cash_compared_at timestamptz,
  -- unexplained cash there at the last comparison: it is expected to stay
  unexplained_micros bigint not null default 0 check (unexplained_micros >= 0),
  -- the sum of the transfers above 0 at that time: transfers that are booked later explain it
  received_micros bigint not null default 0
);

-- Facts that a venue reports about our account and the books do not contain. Kept when they are cleared.
create table venue_findings (
  finding_id bigint generated always as identity primary key,
  venue text not null,
  kind text not null,
  -- its subject there: our id of an order, a fill, a listing
  subject text collate "C" not null,
  -- null if it belongs to no order of ours
  operator_id id,
  order_id id,
  raw json not null,
  found_at timestamptz not null default now(),
  cleared_at timestamptz,
  -- How much a finding differs (contracts of a position in millionths, cents of the cash): above 0 it is a warning, because the venue has
  -- more than the books or owes a result for so many contracts; below 0 that much is missing there. A difference in spite of which a
  -- support person resumed trading stops it again only when it grows.
  size bigint not null default 0,
  unique (venue, kind, subject)
);
create index venue_findings_open on venue_findings (operator_id) where cleared_at is null;

create table venue_transfers (
  venue text collate "C" not null,
  -- by_hand: a support person recorded it; otherwise it comes from the venue's own list
  kind text not null check (kind in ('by_hand', 'deposit', 'withdrawal', 'return', 'rebate', 'reward')),
  -- the support person's reference, or the venue's id
  reference text collate "C" not null check (length(reference) between 1 and 200),
  -- in millionths of a dollar; below 0 it was taken out
  amount_micros bigint not null check (amount_micros <> 0),
  -- when the balance there changed; when it was recorded, if by hand
  moved_at timestamptz not null default clock_timestamp(),
  recorded_at timestamptz not null default clock_timestamp(),
  recorded_by text not null default session_user,
  primary key (venue, kind, reference)
);
create trigger venue_transfers_append_only before update or delete on venue_transfers
  for each row execute function refuse_change();
create trigger venue_transfers_keep before truncate on venue_transfers for each statement execute function refuse_change();

-- How many requests each worker may still make of a venue now.
create table venue_requests (
  venue text collate "C" not null,
  worker uuid not null,
  requests_left integer not null,
  seen_at timestamptz not null,
  -- Why a worker has sent no order to a venue for more than 15 seconds, and since when; null while its sends flow.
  held_because text,
  held_since timestamptz,
  primary key (venue, worker),
  check ((held_because is null) = (held_since is null))
);

-- A venue that pauses trading itself, as its maintenance windows do: no order is sent there and no quote uses it meanwhile.
create table venue_pauses (
  venue text collate "C" primary key,
  since timestamptz not null default clock_timestamp(),
  -- when a worker last read it from the venue; an old row is outdated
  seen_at timestamptz not null default clock_timestamp()
);

-- Trading at a venue stops by itself when our account there differs from the books, until a support person resumes it.
create table venue_stops (
  stop_id bigint generated always as identity primary key,
  venue text collate "C" not null,
  stopped_at timestamptz not null default clock_timestamp(),
  -- the difference, such as "late fill f-1"
  because text not null,
  resumed_at timestamptz,
  resumed_by text,
  check ((resumed_at is null) = (resumed_by is null))
);
create unique index venue_stops_open on venue_stops (venue) where resumed_at is null;

-- Resolved positions that a support person redeemed at a venue that does not pay by itself. The payment itself is in the cash of the
-- account.
create table venue_redemptions (
  venue text collate "C" not null,
  listing_id text collate "C" not null,
  -- of the transaction on the chain
  reference text collate "C" not null check (length(reference) between 1 and 200),
  recorded_by text not null check (length(recorded_by) between 1 and 200),
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (venue, listing_id, reference)
);
create trigger venue_redemptions_append_only before update or delete on venue_redemptions
  for each row execute function refuse_change();
create trigger venue_redemptions_keep before truncate on venue_redemptions for each statement execute function refuse_change();

-- The money of our account on each part, as of the last comparison.
create table venue_parts (
  venue text collate "C" not null,
  part smallint not null check (part >= 0),
  balance_micros bigint not null check (balance_micros >= 0),
  -- the venue takes no orders on this part now
  paused boolean not null,
  read_at timestamptz not null,
  primary key (venue, part)
);

-- Words of a venue that this release does not know: values, fields, errors. They lose no data.
create table venue_unknown_words (
  venue text collate "C" not null,
  -- such as "market status"
  about text collate "C" not null,
  word text collate "C" not null,
  seen bigint not null check (seen > 0),
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (venue, about, word)
);

-- Records of the paper venue, beside its own file, so that another process that takes it over has them. They are the venue's, not ours: no
-- other part reads them.
create table paper_records (
  venue text collate "C" not null,
  kind text not null check (kind in ('order', 'account')),
  key text collate "C" not null,
  revision integer not null,
  line json not null,
  written_at timestamptz not null default now(),
  primary key (venue, kind, key)
) with (fillfactor = 80);

-- ------------------------------------------------------------------------------------------------
-- Webhooks

-- How far the relay has turned an operator's journal into deliveries.
create table webhook_relays (
  operator_id id primary key references operators,
  sequence bigint not null default 0 check (sequence >= 0)
) with (fillfactor = 50);

create table webhook_endpoints (
  operator_id id not null references operators,
  endpoint_id id not null,
  -- never used twice in an operator: the last part of the delivery ids of this endpoint
  number smallint not null,
  url text not null,
  -- the host registered for the account: an attempt goes nowhere else
  host text not null,
  events text[] not null check (cardinality(events) > 0),
  active boolean not null default true,
  disabled_reason text check (disabled_reason in ('operator', 'gone', 'removed')),
  -- AES-256-GCM under INLAY_SECRET
  secret_sealed text not null,
  registered_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  primary key (operator_id, endpoint_id),
  unique (operator_id, number),
  check (active = (disabled_reason is null)),
  check (removed_at is null or not active)
);
create index webhook_endpoints_id on webhook_endpoints (endpoint_id);

-- When an endpoint was active and subscribed to a type. The relay compares an event's own time with these periods, so it decides the same
-- however late it runs: events raised before, between or after them are not queued.
create table webhook_subscriptions (
  operator_id id not null,
  endpoint_id id not null,
  type text not null,
  from_at timestamptz not null,
  until_at timestamptz,
  primary key (operator_id, endpoint_id, type, from_at),
  foreign key (operator_id, endpoint_id) references webhook_endpoints,
  check (until_at is null or until_at >= from_at)
);
create unique index webhook_subscriptions_open on webhook_subscriptions (operator_id, endpoint_id, type) where until_at is null;

-- One row per event and endpoint. Its id is made of both, so the relay cannot queue it twice.
create table webhook_deliveries (
  operator_id id not null,
  delivery_id id not null,
  endpoint_id id not null,
  event_id id not null,
  -- of the row of the journal from which the event is rendered
  sequence bigint not null,
  recorded_at timestamptz not null,
  type text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'exhausted')),
  attempts integer not null default 0 check (attempts >= 0),
  -- since it was queued or last replayed: the place in the retry schedule
  window_attempts integer not null default 0 check (window_attempts >= 0),
  window_started_at timestamptz,
  queued_at timestamptz not null default now(),
  -- while an attempt is in flight this is the end of its lease, so a worker that dies gives the delivery back by doing nothing
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (operator_id, delivery_id),
  check ((status = 'pending') = (finished_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_vacuum_cost_delay = 0);
create index webhook_deliveries_due on webhook_deliveries (operator_id, endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_exhausted on webhook_deliveries (operator_id, delivery_id) where status = 'exhausted';
create index webhook_deliveries_age on webhook_deliveries using brin (created_at) with (pages_per_range='32');

-- Every attempt. Old ones leave by dropping a week's table (maintain_webhook_attempts).
create table webhook_attempts (
  operator_id id not null,
  delivery_id id not null,
  attempt integer not null check (attempt > 0),
  started_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  http_status smallint,
  error text,
  response text,
  primary key (operator_id, delivery_id, attempt, started_at)
) partition by range (started_at);
create table webhook_attempts_rest partition of webhook_attempts default;

-- Columns that change with every batch of attempts, apart from the endpoint so that registering and delivering do not meet on a row.
create table webhook_health (
  operator_id id not null,
  endpoint_id id not null,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  paused_until timestamptz,
  last_attempt_at timestamptz,
  primary key (operator_id, endpoint_id),
  foreign key (operator_id, endpoint_id) references webhook_endpoints
) with (fillfactor = 50);

-- Worker processes that are alive. The jobs of a dead worker are unlocked (graphile-worker keeps them for four hours).
create table webhook_workers (
  pool_id text primary key,
  seen_at timestamptz not null
) with (fillfactor = 50);

-- ------------------------------------------------------------------------------------------------
-- The embed

-- A named list of events that an embed session can be bound to. Event ids cross rooms without a foreign key.
create table operator_books (
  operator_id id not null references operators,
  operator_book_id id not null,
  name text not null check (length(name) between 1 and 200),
  event_ids text[] not null check (cardinality(event_ids) > 0),
  created_at timestamptz not null default now(),
  primary key (operator_id, operator_book_id)
);

-- Only the SHA-256 of a token's secret is kept. The secret identifies the session, so that a token names no tenant.
create table embed_sessions (
  operator_id id not null references operators,
  session_id id not null,
  secret_hash bytea not null check (length(secret_hash) = 32),
  external_user_id text collate "C" not null,
  origin text,
  locale text,
  region text,
  country text,
  subdivision text,
  theme jsonb not null default '{}',
  operator_book_id id,
  minted_by id not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (operator_id, session_id),
  unique (secret_hash, operator_id),
  foreign key (operator_id, external_user_id) references customers,
  foreign key (operator_id, operator_book_id) references operator_books,
  check (expires_at > created_at)
);
-- Ended sessions are deleted by age.
create index embed_sessions_ended on embed_sessions (expires_at);

-- How many units of a currency the frame shows for one USD. No booking reads it.
create table display_rates (
  currency text primary key check (currency in ('EUR', 'GBP', 'CAD', 'BRL', 'USDT', 'USDC', 'DAI', 'BTC', 'ETH', 'SOL', 'ARB')),
  rate numeric not null check (rate > 0::numeric),
  set_at timestamptz not null default now()
);

-- ------------------------------------------------------------------------------------------------
-- Reconciliation, and the books as a whole

-- The nightly report, the last one kept whole.
create table reconciliation_reports (
  operator_id id primary key,
  -- set by the worker that takes an operator's night, so that one does
  claimed_at timestamptz not null,
  ran_at timestamptz,
  ok boolean,
  report json
);

-- One row: the epoch of the books, raised if commits were lost, and the server that holds them.
create table books (
  one boolean primary key default true check (one),
  books_id uuid not null default gen_random_uuid(),
  epoch integer not null default 1 check (epoch > 0),
  system_identifier bigint,
  timeline bigint,
  changed_at timestamptz not null default now()
);
insert into books default values;

-- Each worker counts here, in its own file and in its memory; a count that is lower than before shows that commits were lost.
create table books_witnesses (
  witness_id text collate "C" primary key,
  beat bigint not null,
  seen_at timestamptz not null default now()
) with (fillfactor = 50);

create table books_epochs (
  epoch integer primary key,
  began_at timestamptz not null default now(),
  -- the count that the witness had seen, and the one that it found instead
  seen json not null,
  found json not null
);

-- ------------------------------------------------------------------------------------------------
-- The auditor's books, kept from the journal alone (src/audit). Its own role writes them and reads everything else; no other role
-- writes them. Columns that a table of the service has too have the same name, and are compared with it.

create schema audit;

-- How far the auditor has read of each operator's journal, and its counts: entries, and venues' reports of exits. Books that are rebuilt
-- grow under a temporary name, the operator and a number, until they replace those of the operator.
create table audit.progress (
  operator_id id primary key,
  -- the last position of the feed that it has read
  sequence bigint not null,
  recorded_at timestamptz,
  entries bigint not null,
  exits bigint not null,
  agrees bigint not null,
  disagrees bigint not null,
  -- how often the books were written: a process that has read them writes only if no other has since
  writes bigint not null,
  audited_at timestamptz not null
);

-- Signed cents of each account, a debit positive.
create table audit.accounts (
  operator_id id not null,
  account_id text collate "C" not null,
  balance numeric not null,
  debits numeric not null,
  lines bigint not null,
  primary key (operator_id, account_id)
);

create table audit.orders (
  operator_id id not null,
  order_id id not null,
  external_user_id text collate "C" not null,
  client_order_id text collate "C",
  execution_ref text collate "C",
  quote_id id,
  contract_id id,
  side text not null,
  action text not null,
  intent text not null,
  status text not null,
  transmission_state text not null,
  simulated boolean not null,
  price_micros bigint not null,
  slippage_micros bigint not null,
  fee_bps integer not null,
  authorization_minor bigint not null,
  quoted_fee_minor bigint not null,
  quoted_trade_minor bigint not null,
  quoted_quantity_micros bigint not null,
  filled_quantity_micros bigint not null,
  price_weight numeric not null,
  trade_minor bigint not null,
  platform_fee_minor bigint not null,
  venue_fee_minor bigint not null,
  venue_fee_known boolean not null,
  position_id id,
  scenario_id id,
  reject_reason text,
  routing_reason text,
  considered_venues integer,
  venue text,
  reserve_reference text,
  reserve_confirmed_at timestamptz,
  cancellation_id id,
  cancelled_at timestamptz,
  cancel_reason text,
  created_at timestamptz not null,
  transmitted_at timestamptz,
  -- amounts held for it now, and the contracts of a sell that have left the position
  held_minor bigint not null,
  exited_quantity_micros bigint not null,
  -- the request to a venue
  asked_quantity_micros bigint,
  limit_micros bigint,
  spend_micros bigint,
  our_id text collate "C",
  valid_seconds integer,
  primary key (operator_id, order_id)
) with (fillfactor = 90);
create index audit_orders_sent on audit.orders (operator_id) where transmission_state = 'unknown';
create index audit_orders_holding on audit.orders (operator_id) where held_minor <> 0;

create table audit.fills (
  operator_id id not null,
  order_id id not null,
  fill_no integer not null,
  fill_id id not null,
  quantity_micros bigint not null,
  price_micros bigint not null,
  fee_micros bigint,
  filled_at timestamptz not null,
  venue_fill_id text collate "C",
  primary key (operator_id, order_id, fill_no)
);

create table audit.positions (
  operator_id id not null,
  position_id id not null,
  external_user_id text collate "C" not null,
  contract_id id not null,
  side text not null,
  simulated boolean not null,
  status text not null,
  quantity_micros bigint not null,
  held_quantity_micros bigint not null,
  cost_basis_minor bigint not null,
  entry_fees_minor bigint not null,
  price_weight numeric not null,
  average_price_micros bigint not null,
  realised_pnl_minor bigint not null,
  opened_at timestamptz not null,
  primary key (operator_id, position_id)
) with (fillfactor = 80);

create table audit.holdings (
  operator_id id not null,
  position_id id not null,
  venue text not null,
  quantity_micros bigint not null,
  held_quantity_micros bigint not null,
  primary key (operator_id, position_id, venue)
);

create table audit.settlements (
  operator_id id not null,
  settlement_id id not null,
  position_id id not null,
  contract_id id not null,
  side text not null,
  resolution text not null,
  yes_worth_micros bigint,
  resolution_version integer,
  primary key (operator_id, settlement_id)
);

create table audit.movements (
  operator_id id not null,
  sequence bigint not null,
  reference text collate "C" not null,
  primary key (operator_id, sequence)
);

create table audit.deposits (
  operator_id id not null,
  deposit_id id not null,
  external_user_id text collate "C" not null,
  credited_minor bigint not null,
  primary key (operator_id, deposit_id)
);

-- The auditor's digests of rows that never change, the journal's and others (src/audit/digests.ts): eight bytes of a hash of each, in
-- blocks. They stay when the books are rebuilt.
create table audit.digests (
  operator_id id not null,
  -- the table of the rows
  source text not null,
  block bigint not null,
  keys bigint[] not null,
  digests bigint[] not null,
  primary key (operator_id, source, block)
);

-- Rows of the journal that contradict the books.
create table audit.findings (
  operator_id id not null,
  sequence bigint not null,
  check_name text not null,
  severity text not null,
  detail text not null,
  subject_type text not null,
  subject_id text not null,
  finding_no bigint generated always as identity,
  found_at timestamptz not null default clock_timestamp(),
  primary key (operator_id, finding_no)
);

-- ------------------------------------------------------------------------------------------------
-- Sandbox

-- Scripted outcomes of sandbox orders.
create table scenarios (
  operator_id id not null references operators,
  scenario_id id not null,
  kind text not null check (kind = 'partial_fill'),
  fill_fraction numeric check (fill_fraction > 0::numeric and fill_fraction < 1::numeric),
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

-- Results that a sandbox tester requested for a position. Such a settlement leaves the market alone, so a later resolution of the market
-- does not change it.
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
  -- polls of the bridge: at the first it has seen the transfer, at the second it credits
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
create index sandbox_deposits_credited on sandbox_deposits (operator_id, external_user_id) where credited_at is not null;

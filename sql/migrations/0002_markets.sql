-- Markets: the catalogue, books, results and price history that ingestion records and every board follows.
-- A statement that changes a row which boards show first takes the next number of board_revision and
-- writes it to the row. The counter's row lock is held to the commit, so revisions become visible in their order and
-- "revision > the last one seen" misses nothing.
create table board_revision (
  one boolean primary key default true check (one),
  revision bigint not null
);
insert into board_revision values (true, 0);

create table events (
  event_id id primary key,
  slug text collate "C" not null unique,
  -- position of the venue that describes the event in the deployment's list of venues; the lowest wins
  rank smallint not null,
  -- hash of what that venue said, so that an unchanged repetition writes nothing
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

-- A person has verified that the listings of a group are one contract; without that nothing is routed between venues.
create table routing_groups (
  group_key text collate "C" primary key,
  verified_by text,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  -- routing ends where a listing's terms change or another listing joins the contract, until a person verifies it again
  ended_at timestamptz,
  ended_because text check (ended_because in ('listing_joined', 'terms_changed')),
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
  -- what the venue says, kept beside what the service operator decided
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
  minimum_minor bigint not null check (minimum_minor >= 0),
  minimum_quantity_micros bigint not null check (minimum_quantity_micros >= 0),
  quantity_step_micros bigint not null check (quantity_step_micros > 0),
  tick_micros bigint not null default 1 check (tick_micros > 0),
  created_at timestamptz not null default now(),
  revision bigint not null,
  -- hash of rules text, closing time and outcome names
  terms text,
  primary key (venue, listing_id),
  check (cardinality(bid_prices) = cardinality(bid_sizes) and cardinality(ask_prices) = cardinality(ask_sizes))
);
create index listings_contract on listings (contract_id);
create index listings_revision on listings (revision);

-- What the service knows about its connection to each venue; confirmed_at is a heartbeat, about once a second.
create table venue_feeds (
  venue text collate "C" primary key,
  connected boolean not null,
  session bigint not null,
  confirmed_at timestamptz,
  last_sync_at timestamptz,
  revision bigint not null,
  -- no longer a venue of the deployment: not reported as a feed that fell silent
  retired boolean not null default false
);

-- Every result that a contract was given, in order: null is a withdrawal. Not applied is what the venue reported while the
-- service operator's own resolution was in force.
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
create trigger contract_resolutions_keep before truncate on contract_resolutions for each statement execute function refuse_change();

-- Reference prices of YES: the first one of each minute (kept a day), of each five (a week) and of each hour (kept).
create table price_history (
  contract_id id not null references contracts,
  step_minutes smallint not null check (step_minutes in (1, 5, 60)),
  at timestamptz not null,
  price_micros bigint not null check (price_micros between 1 and 999999),
  primary key (contract_id, step_minutes, at)
);
create index price_history_age on price_history (at) where step_minutes < 60;

-- Operators (tenants), their API keys, their customers and the rate counters.
create table operators (
  operator_id id primary key,
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
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
  check ((period_stake_minor is null) = (period_hours is null))
);
create index operators_parent on operators (parent_id) where parent_id is not null;

create table api_keys (
  key_id id primary key,
  operator_id id not null references operators,
  key_hash bytea not null unique,
  prefix text not null,
  label text,
  scopes text[] not null default '{}',
  rate_limit integer not null check (rate_limit between 1 and 6000),
  created_at timestamptz not null default now(),
  -- in the future while a rotated key is still in its grace
  revoked_at timestamptz
);
create index api_keys_operator on api_keys (operator_id);

-- One row per counted subject and minute. Unlogged: a crash forgets at most one minute's counts.
create unlogged table rate_counters (
  subject text collate "C" not null,
  window_start timestamptz not null,
  count bigint not null,
  primary key (subject, window_start)
);

-- End users: the operator's opaque id and what the operator told us of them; nothing else is kept.
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

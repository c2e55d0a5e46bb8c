-- The first release: operators (tenants), their API keys, their customers, the rate counters, and what the service operator did.
-- The files 0001 to 0010 are the migrations of the time before 0.2, squashed; sql/schema.sql shows what they make together.

-- Ids are compared byte by byte, so that time-ordered ids sort the same on every cluster.
create domain id as text collate "C";

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

-- A parent has no parent, and its children have its mode: otherwise a sandbox key could act for a live child. A trigger and not a
-- foreign key, because a foreign key cannot compare modes; admit_requests refuses as well.
create function check_parent() returns trigger language plpgsql as $$
declare
  parent operators;
begin
  if new.parent_id is not null then
    -- for share: the parent cannot get a parent or another mode while this row is written
    select * into parent from operators o where o.operator_id = new.parent_id for share;
    if parent.operator_id = new.operator_id or parent.parent_id is not null then
      raise exception 'The parent of an operator has no parent itself.' using errcode = 'check_violation', constraint = 'operators_parent';
    end if;
    if parent.mode <> new.mode then
      raise exception 'An operator has the mode of its parent.' using errcode = 'check_violation', constraint = 'operators_parent';
    end if;
  end if;
  if exists (select from operators o where o.parent_id = new.operator_id and (new.parent_id is not null or o.mode <> new.mode)) then
    raise exception 'An operator with children has no parent, and keeps the mode of its children.'
      using errcode = 'check_violation', constraint = 'operators_parent';
  end if;
  return new;
end $$;
create trigger operators_parent before insert or update of parent_id, mode on operators for each row execute function check_parent();

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
  expires_at timestamptz check (expires_at > created_at),
  -- null admits every address
  allowed_addresses cidr[] check (cardinality(allowed_addresses) between 1 and 100)
);
create index api_keys_operator on api_keys (operator_id);

-- When a key was last used, and from where. Not in api_keys: a write there would invalidate what processes cache of the key.
create table api_key_uses (
  operator_id id not null,
  key_id id not null references api_keys,
  used_at timestamptz not null,
  address inet not null,
  primary key (operator_id, key_id)
);

-- One row per counted subject and minute. Unlogged: a crash forgets at most one minute's counts.
create unlogged table rate_counters (
  subject text collate "C" not null,
  window_start timestamptz not null,
  count bigint not null,
  primary key (subject, window_start)
);

-- End users: the operator's opaque id and what the operator said about them; nothing else is kept.
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

-- Append-only history of the account limits. `set_by` is the id of the API key that asked. When limits are cleared, they are null.
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

-- Append-only history of jurisdiction assertions. `set_by` is the id of the API key that asked.
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

create trigger limit_changes_append_only before update or delete on limit_changes
  for each row execute function refuse_change();
create trigger limit_changes_keep before truncate on limit_changes for each statement execute function refuse_change();
create trigger jurisdiction_changes_append_only before update or delete on jurisdiction_changes
  for each row execute function refuse_change();
create trigger jurisdiction_changes_keep before truncate on jurisdiction_changes for each statement execute function refuse_change();

-- What the service operator did, and who: one row before a change begins, one when it has ended. Of no tenant, and append-only for
-- every role. If the process of a change died in between, the change has only its first row.
create table audit_log (
  entry_no bigint generated always as identity primary key,
  change_id id not null,
  recorded_at timestamptz not null default clock_timestamp(),
  actor text not null check (length(actor) between 1 and 200),
  command text not null,
  arguments text[] not null,
  outcome text not null check (outcome in ('started', 'done', 'failed')),
  -- the error code of what failed
  code text,
  unique (change_id, outcome)
);
create index audit_log_time on audit_log (recorded_at);
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_keep before truncate on audit_log for each statement execute function refuse_change();

-- Embed sessions, operator books and display rates.

-- A named list of events that an embed session can be bound to. Event ids cross rooms without a foreign key.
create table operator_books (
  operator_id id not null references operators,
  operator_book_id id not null,
  name text not null check (length(name) between 1 and 200),
  event_ids text[] not null check (cardinality(event_ids) > 0),
  created_at timestamptz not null default now(),
  primary key (operator_id, operator_book_id)
);

-- Only the SHA-256 of a token's secret is kept. The secret leads to the session, so that a token names no tenant.
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
  expires_at timestamptz not null check (expires_at > created_at),
  revoked_at timestamptz,
  primary key (operator_id, session_id),
  unique (secret_hash, operator_id),
  foreign key (operator_id, external_user_id) references customers,
  foreign key (operator_id, operator_book_id) references operator_books
);

-- Ended sessions are forgotten by age.
create index embed_sessions_ended on embed_sessions (expires_at);

-- How many units of a currency one USD shows as in the frame. Nothing booked ever reads it.
create table display_rates (
  currency text primary key
    check (currency in ('EUR', 'GBP', 'CAD', 'BRL', 'USDT', 'USDC', 'DAI', 'BTC', 'ETH', 'SOL', 'ARB')),
  rate numeric not null check (rate > 0),
  set_at timestamptz not null default now()
);

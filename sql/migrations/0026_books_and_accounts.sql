-- What a database that was set back cannot know by itself, and how venues tell our account there.

-- One row: the epoch of the books, raised where commits were lost, and the server that holds them.
create table books (
  one boolean primary key default true check (one),
  books_id uuid not null default gen_random_uuid(),
  epoch integer not null default 1 check (epoch > 0),
  system_identifier bigint,
  timeline bigint,
  changed_at timestamptz not null default now()
);
insert into books default values;

-- Each worker counts here, and in a file of its own and its memory; a count that went back shows that commits were lost.
create table books_witnesses (
  witness_id text collate "C" primary key,
  beat bigint not null,
  seen_at timestamptz not null default now()
) with (fillfactor = 50);

create table books_epochs (
  epoch integer primary key,
  began_at timestamptz not null default now(),
  -- what the witness had seen, and what it found instead
  seen json not null,
  found json not null
);

-- When our account at a venue was last compared with the books.
create table venue_accounts (
  venue text collate "C" primary key,
  compared_at timestamptz not null,
  -- everything before it was looked at
  compared_until timestamptz not null,
  offset_ms integer,
  balance_micros bigint
);

-- What a venue tells of our account that the books do not know. Kept when it is cleared.
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

-- The order is at the venue already: gates and caps are not asked.
alter type order_move add attribute adopts boolean;

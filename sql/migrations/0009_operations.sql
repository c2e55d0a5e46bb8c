-- What processes agree on among themselves: the epoch of the books, leases, and the records of the paper venue.

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

-- Each worker counts here, and in a file of its own and its memory; a count that is lower than before shows that commits were lost.
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

-- What the paper venue received and booked, beside its own file, so that another process that takes it over knows it. It is
-- the venue's, not ours: nothing else reads it.
create table paper_records (
  venue text collate "C" not null,
  kind text not null check (kind in ('order', 'account')),
  key text collate "C" not null,
  revision integer not null,
  line json not null,
  written_at timestamptz not null default now(),
  primary key (venue, kind, key)
) with (fillfactor = 80);

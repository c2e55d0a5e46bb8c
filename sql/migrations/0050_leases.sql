-- Leadership among processes: who holds which lease, and until when on the database's clock. A lease survives neither its
-- holder's silence nor a fail-over to a server in recovery, because taking and renewing one are writes.
create table leases (
  name text collate "C" primary key,
  -- unique to each taking, so that two holders differ even if a fail-over lost the commit of the later one
  holder text collate "C" not null,
  -- rises with each taking; a write that carries an older one is refused
  epoch bigint not null check (epoch > 0),
  taken_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 50);

-- Replaced by functions that also take the lease of the writer.
drop function if exists ingest_board(jsonb);
drop function if exists withdraw_unlisted(text, integer, text[]);
drop function if exists retire_venues(text[]);

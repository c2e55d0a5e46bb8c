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

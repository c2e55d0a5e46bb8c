-- Parts of a venue that keep collateral apart: a market lives on one of them, and only what our account has on that part pays an
-- order there. A listing whose venue has one place for money has no part.
alter table listings add column part smallint;

-- What our account has on each part, as of the last comparison.
create table venue_parts (
  venue text collate "C" not null,
  part smallint not null check (part >= 0),
  balance_micros bigint not null check (balance_micros >= 0),
  -- the venue takes no orders on this part now
  paused boolean not null,
  read_at timestamptz not null,
  primary key (venue, part)
);

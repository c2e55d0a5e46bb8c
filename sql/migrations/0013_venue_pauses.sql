-- A venue that pauses trading itself, as its maintenance windows do: nothing is sent there and nothing of it is quoted meanwhile.
create table venue_pauses (
  venue text collate "C" primary key,
  since timestamptz not null default clock_timestamp(),
  -- when a worker last heard it from the venue; an old row says nothing any more
  seen_at timestamptz not null default clock_timestamp()
);

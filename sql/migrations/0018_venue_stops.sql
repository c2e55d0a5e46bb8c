-- Trading at a venue stops by itself when our account there holds what the books do not know, until a person resumes it.
create table venue_stops (
  stop_id bigint generated always as identity primary key,
  venue text collate "C" not null,
  stopped_at timestamptz not null default clock_timestamp(),
  -- what differed, such as "late fill f-1"
  because text not null,
  resumed_at timestamptz,
  resumed_by text,
  check ((resumed_at is null) = (resumed_by is null))
);
create unique index venue_stops_open on venue_stops (venue) where resumed_at is null;

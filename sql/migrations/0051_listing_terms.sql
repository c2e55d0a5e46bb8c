-- A person matches listings by their terms, so routing ends where a listing's terms change or another listing joins its contract.
alter table listings
  -- hash of rules text, closing time and outcome names; null until the venue was read by a release that knows them
  add column terms text;
alter table routing_groups
  add column ended_at timestamptz,
  add column ended_because text check (ended_because in ('listing_joined', 'terms_changed')),
  add check ((ended_at is null) = (ended_because is null)),
  add check (ended_at is null or verified_at is null);

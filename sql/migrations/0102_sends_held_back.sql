-- Why a worker has sent nothing to a venue for more than 15 seconds, and since when; null while its
-- sends flow.
alter table venue_requests add column held_because text, add column held_since timestamptz,
  add check ((held_because is null) = (held_since is null));

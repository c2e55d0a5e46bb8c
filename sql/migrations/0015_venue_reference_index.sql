-- concurrently
-- What a venue reports of our account is found by the venue's own id of the order.
-- an index that an earlier try left unfinished is in the way
drop index concurrently if exists transmissions_venue_ref;
create index concurrently transmissions_venue_ref on transmissions (venue_ref, venue) where venue_ref is not null;

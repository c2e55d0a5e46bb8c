-- A cell may read a venue through another cell (docs/cells.md): which one it is now. Null if it reads the venue itself.
alter table venue_feeds add column read_through text;

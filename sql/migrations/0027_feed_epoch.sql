-- Replaced by one that also takes the epoch of the cursor.
drop function if exists read_feed(text, bigint, text[], text, integer);

-- The books part of ingest_board. Within one connection to the venue a late book never replaces a newer one; a new
-- connection may begin anywhere. A repetition confirms the book and leaves quotes on it valid. No book is confirmed in the
-- future, whatever the clocks of venue and worker say.
create or replace function ingest_books(p jsonb, v bigint) returns void
language sql as $$
  with said as (
    select * from jsonb_to_recordset(p) as x(venue text, listing_id text, bid_prices bigint[], bid_sizes bigint[],
      ask_prices bigint[], ask_sizes bigint[], feed text, sequence bigint, session bigint, updated_at timestamptz,
      confirmed_at timestamptz)
  ), judged as (
    select s.*, (l.bid_prices, l.bid_sizes, l.ask_prices, l.ask_sizes)
      is distinct from (s.bid_prices, s.bid_sizes, s.ask_prices, s.ask_sizes) as moved
    from said s join listings l on l.venue = s.venue and l.listing_id = s.listing_id
    where l.session <> s.session or l.venue_sequence is null or s.sequence >= l.venue_sequence
  ), written as (
    update listings l set bid_prices = j.bid_prices, bid_sizes = j.bid_sizes, ask_prices = j.ask_prices,
      ask_sizes = j.ask_sizes, feed = j.feed, venue_sequence = j.sequence, session = j.session,
      book_updated_at = j.updated_at, book_confirmed_at = least(j.confirmed_at, clock_timestamp()),
      book_revision = case when j.moved then v else l.book_revision end, revision = v
    from judged j where l.venue = j.venue and l.listing_id = j.listing_id
    returning l.contract_id, j.moved
  )
  update contracts c set book_revision = v
  where c.contract_id in (select w.contract_id from written w where w.moved)
$$;

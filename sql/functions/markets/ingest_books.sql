-- The books of a batch of ingest_board. Within one connection to the venue, an older book never
-- replaces a newer one; a new connection may begin with any number. A book that is repeated is
-- confirmed, and quotes on it stay valid. No book is confirmed in the future, even if a clock is
-- wrong.
create or replace function ingest_books(p_books jsonb, p_revision bigint) returns void
language sql as $$
  with said as (
    select * from jsonb_to_recordset(p_books)
      as given(venue text, listing_id text, bid_prices bigint[], bid_sizes bigint[],
      ask_prices bigint[], ask_sizes bigint[], feed text, sequence bigint, session bigint,
        updated_at timestamptz,
      confirmed_at timestamptz, traded_micros bigint, traded_price_micros bigint)
  ), judged as (
    select said.*, (listing.bid_prices, listing.bid_sizes, listing.ask_prices, listing.ask_sizes)
      is distinct from (said.bid_prices, said.bid_sizes, said.ask_prices, said.ask_sizes) as moved
    from said join listings listing on listing.venue = said.venue
      and listing.listing_id = said.listing_id
    where listing.session <> said.session or listing.venue_sequence is null
      or said.sequence >= listing.venue_sequence
  ), written as (
    update listings listing set bid_prices = judged.bid_prices, bid_sizes = judged.bid_sizes,
      ask_prices = judged.ask_prices,
      ask_sizes = judged.ask_sizes, feed = judged.feed, venue_sequence = judged.sequence,
        session = judged.session,
      book_updated_at = judged.updated_at,
        book_confirmed_at = least(judged.confirmed_at, clock_timestamp()),
      traded_micros = coalesce(judged.traded_micros, listing.traded_micros),
      traded_price_micros = coalesce(judged.traded_price_micros, listing.traded_price_micros),
      book_revision = case when judged.moved then p_revision else listing.book_revision end,
        revision = p_revision
    from judged where listing.venue = judged.venue and listing.listing_id = judged.listing_id
    returning listing.contract_id, judged.moved
  )
  update contracts contract set book_revision = p_revision
  where contract.contract_id in (select written.contract_id from written where written.moved)
    -- contracts that a person matched show each other's books
    or contract.group_key in (select moved.group_key from written
      join contracts moved on moved.contract_id = written.contract_id where written.moved)
$$;

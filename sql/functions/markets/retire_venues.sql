-- Withdraws what venues reported that the deployment no longer uses: their books are emptied,
-- contracts that no other venue lists are paused, and their feeds are no longer reported. If a
-- venue is used again, its next reports restore everything. Raises IN050 if the writer has lost the
-- lease of ingestion. Returns the revision of the board.
create or replace function retire_venues(
  p_used text[], p_epoch bigint default null, p_holder text default null, out board_revision bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  v_revision bigint;
  v_now timestamptz := clock_timestamp();
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into v_revision;
  perform assert_lease('ingestion', p_epoch, p_holder);

  with retired as (
    update listings listing set bid_prices = '{}', bid_sizes = '{}', ask_prices = '{}',
      ask_sizes = '{}',
      venue_sequence = null, session = 0, book_updated_at = null, book_confirmed_at = null,
        rank = 32767,
      book_revision = v_revision, revision = v_revision
    where listing.venue <> all (p_used) and listing.rank < 32767
    returning listing.contract_id
  )
  update contracts contract set book_revision = v_revision
    where contract.contract_id in (select retired.contract_id from retired);

  update contracts contract set digest = 'withdrawn', venue_status = 'paused', updated_at = v_now,
    revision = v_revision,
    status = contract_status(null, contract.operator_paused, 'paused', contract.closes_at, v_now)
  where contract.resolution is null and contract.digest <> 'withdrawn'
    and not exists (select from listings listing
      where listing.contract_id = contract.contract_id and listing.venue = any (p_used));

  update venue_feeds feed set connected = false, retired = true, revision = v_revision
  where feed.venue <> all (p_used) and not feed.retired;

  board_revision := v_revision;
end
$$;

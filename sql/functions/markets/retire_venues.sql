-- Takes back what venues said that the deployment does not use any more: their books go, contracts that nobody else
-- lists are paused, their feeds are not reported. Being used again brings everything back. Returns the revision.
create or replace function retire_venues(
  p_used text[], p_epoch bigint default null, p_holder text default null, out board_revision bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  v bigint;
  v_now timestamptz := clock_timestamp();
begin
  update board_revision b set revision = b.revision + 1 returning b.revision into v;
  perform assert_lease('ingestion', p_epoch, p_holder);

  with retired as (
    update listings l set bid_prices = '{}', bid_sizes = '{}', ask_prices = '{}', ask_sizes = '{}',
      venue_sequence = null, session = 0, book_updated_at = null, book_confirmed_at = null, rank = 32767,
      book_revision = v, revision = v
    where l.venue <> all (p_used) and l.rank < 32767
    returning l.contract_id
  )
  update contracts c set book_revision = v where c.contract_id in (select r.contract_id from retired r);

  update contracts c set digest = 'withdrawn', venue_status = 'paused', updated_at = v_now, revision = v,
    status = contract_status(null, c.operator_paused, 'paused', c.closes_at, v_now)
  where c.resolution is null and c.digest <> 'withdrawn'
    and not exists (select from listings l where l.contract_id = c.contract_id and l.venue = any (p_used));

  update venue_feeds f set connected = false, retired = true, revision = v
  where f.venue <> all (p_used) and not f.retired;

  board_revision := v;
end
$$;

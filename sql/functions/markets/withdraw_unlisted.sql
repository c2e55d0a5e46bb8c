-- Pauses the unresolved contracts that a venue describes and no longer lists (contract 16.12).
-- Their digest is invalidated, so that they are restored when the venue lists them again. Raises
-- IN050 if the writer has lost the lease of ingestion. Returns the revision of the board and the
-- listings.
create or replace function withdraw_unlisted(
  p_venue text, p_rank integer, p_listed text[], p_epoch bigint default null,
  p_holder text default null,
  out board_revision bigint, out keys text[]
) language plpgsql as $$
#variable_conflict use_column
declare
  v_revision bigint;
  v_keys text[];
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into v_revision;
  perform assert_lease('ingestion', p_epoch, p_holder);
  with gone as (
    select listing.listing_id, listing.contract_id
    from contracts contract join listings listing on listing.contract_id = contract.contract_id
    where contract.resolution is null and contract.rank = p_rank and contract.digest <> 'withdrawn'
      and listing.venue = p_venue
      and listing.listing_id not in (select unnest(p_listed))
  ), written as (
    update contracts contract set digest = 'withdrawn', venue_status = 'paused',
      updated_at = clock_timestamp(), revision = v_revision,
      status = contract_status(null, contract.operator_paused, 'paused', contract.closes_at,
        clock_timestamp())
    from gone where contract.contract_id = gone.contract_id
    returning gone.listing_id
  )
  select coalesce(array_agg(written.listing_id), '{}') into v_keys from written;
  board_revision := v_revision;
  keys := v_keys;
end
$$;

-- Pauses the unresolved contracts that a venue describes and lists no more: their source has moved away (specification
-- "Other lifecycles"). Their digest is spoilt, so that being listed again brings them back. Returns the listings.
create or replace function withdraw_unlisted(
  p_venue text, p_rank integer, p_listed text[], p_epoch bigint default null, p_holder text default null,
  out board_revision bigint, out keys text[]
) language plpgsql as $$
#variable_conflict use_column
declare
  v bigint;
  v_keys text[];
begin
  update board_revision b set revision = b.revision + 1 returning b.revision into v;
  perform assert_lease('ingestion', p_epoch, p_holder);
  with gone as (
    select l.listing_id, l.contract_id
    from contracts c join listings l on l.contract_id = c.contract_id
    where c.resolution is null and c.rank = p_rank and c.digest <> 'withdrawn' and l.venue = p_venue
      and l.listing_id not in (select unnest(p_listed))
  ), written as (
    update contracts c set digest = 'withdrawn', venue_status = 'paused', updated_at = clock_timestamp(), revision = v,
      status = contract_status(null, c.operator_paused, 'paused', c.closes_at, clock_timestamp())
    from gone g where c.contract_id = g.contract_id
    returning g.listing_id
  )
  select coalesce(array_agg(w.listing_id), '{}') into v_keys from written w;
  board_revision := v;
  keys := v_keys;
end
$$;

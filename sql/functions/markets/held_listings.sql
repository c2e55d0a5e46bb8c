-- The listings of a venue whose contract has no result yet and on which a position or an order is
-- open. They are followed to their end, even if the venue's catalogue no longer contains them.
create or replace function held_listings(p_venue text) returns setof text language sql stable as $$
  select listing.listing_id from listings listing
    join contracts contract on contract.contract_id = listing.contract_id
  where listing.venue = p_venue and contract.resolution is null
    and (exists (select from positions position
      where position.contract_id = contract.contract_id and position.status = 'open')
      or contract.contract_id in (
        select order_row.contract_id from orders order_row
        where order_row.status in ('reserve_pending', 'pending_venue_execution', 'submitted',
          'partially_filled', 'pending')))
$$;

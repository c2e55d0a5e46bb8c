-- Listings of a venue whose contract has no result yet and on which a position or an order is open: they are followed to their
-- end, whatever the venue's catalogue leaves out by then.
create or replace function held_listings(p_venue text) returns setof text language sql stable as $$
  select l.listing_id from listings l join contracts c on c.contract_id = l.contract_id
  where l.venue = p_venue and c.resolution is null
    and (exists (select from positions p where p.contract_id = c.contract_id and p.status = 'open')
      or c.contract_id in (
        select o.contract_id from orders o
        where o.status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'pending')))
$$;

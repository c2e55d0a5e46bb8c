-- The listings of a venue that are followed to their end, even if the venue's catalogue no longer
-- contains them: those without a result yet on which a position or an order is open, of their own
-- contract or of one that was matched with it; and those that were paid in the last three days,
-- because a venue may still change a result.
create or replace function held_listings(p_venue text) returns setof text
language plpgsql stable as $$
declare
  -- of contracts: markets are not where the operators' rows are
  v_followed text[];
  v_resolved text[];
  v_paid text[];
begin
  v_followed := array(
    select position.contract_id from positions position where position.status = 'open'
    union
    select order_row.contract_id from orders order_row
      where order_row.status in ('reserve_pending', 'pending_venue_execution', 'submitted',
        'partially_filled', 'pending')
        and is_open_order(order_row.status, order_row.transmission_state));
  v_resolved := array(select contract.contract_id from contracts contract
    where contract.resolved_at > now() - interval '3 days');
  v_paid := array(select distinct settlement.contract_id from settlements settlement
    where settlement.contract_id = any (v_resolved));
  return query
  select listing.listing_id from listings listing
    join contracts contract on contract.contract_id = listing.contract_id
  where listing.venue = p_venue and case
    when contract.resolution is null then contract.contract_id = any (v_followed)
      or contract.group_key in (select other.group_key from contracts other
        where other.contract_id = any (v_followed))
    else contract.contract_id = any (v_paid) end;
end $$;

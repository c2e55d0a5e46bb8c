-- The expected cash of our account at a venue, for the comparison with the venue's own report.

-- Returns the smallest and the largest effect that trading and transfers can have had on the cash
-- of our account at a venue, in millionths of a dollar. Both are the same unless an order is under
-- way there or the payout of a contract may still arrive. A cost is rounded up and proceeds are
-- rounded down, fill by fill, as venues do. A pair of YES and NO is returned as a dollar when the
-- second of them is bought, unless the venue keeps both sides apart. It also returns the number of
-- fills with a fee, and the sum of the transfers above 0.
create or replace function venue_cash(
  p_venue text, p_keeps_both_sides boolean,
  out least_micros numeric, out most_micros numeric, out fees bigint, out received_micros numeric
) language plpgsql stable as $$
begin
  -- amounts from operators' rows first, because markets are on other servers
  with traded as materialized (
    select sent.listing_id,
      sum(
        case sent.action
          when 'BUY' then -ceil(fill.quantity_micros::numeric * fill.price_micros / 1000000)
          else floor(fill.quantity_micros::numeric * fill.price_micros / 1000000)
        end - coalesce(fill.fee_micros, 0)
      ) as cash,
      coalesce(sum(
        case sent.action when 'BUY' then fill.quantity_micros else -fill.quantity_micros end
      ) filter (where sent.side = 'YES'), 0) as yes,
      coalesce(sum(
        case sent.action when 'BUY' then fill.quantity_micros else -fill.quantity_micros end
      ) filter (where sent.side = 'NO'), 0) as no,
      count(*) filter (where fill.fee_micros > 0) as fees
    from transmissions sent
      join order_fills fill using (operator_id, order_id)
    where sent.venue = p_venue
    group by sent.listing_id
  ), under_way as materialized (
    -- one contract costs, brings and returns at most a dollar
    select coalesce(sum(sent.quantity_micros), 0) as most
    from transmissions sent
    where sent.venue = p_venue and sent.state <> 'done'
  ), held as (
    select traded.cash + returned.pairs as cash, traded.fees,
      traded.yes + traded.no - 2 * returned.pairs as net,
      coalesce(contract.resolution, contract.venue_resolution) is not null as resolved,
      -- the venue's payment for the rest, by its own result, even if the service operator decided
      -- another one; unknown if it has none
      case when contract.venue_resolution <> 'VOID' then
        floor((traded.yes - returned.pairs) * worth.yes / 1000000)
        + floor((traded.no - returned.pairs) * (1000000 - worth.yes) / 1000000)
      end as payout,
      coalesce((
        select max(said.occurred_at) from contract_resolutions said
        where said.contract_id = contract.contract_id and said.source = 'venue'
      ), contract.resolved_at) > now() - interval '1 day' as fresh
    from traded
      left join listings listing
        on listing.venue = p_venue and listing.listing_id = traded.listing_id
      left join contracts contract using (contract_id)
      cross join lateral (
        select case contract.venue_resolution
          when 'YES' then 1000000
          when 'NO' then 0
          else contract.venue_split_yes_micros
        end::numeric as yes
      ) worth
      cross join lateral (
        select case when p_keeps_both_sides then 0 else least(traded.yes, traded.no) end as pairs
      ) returned
  ), sums as (
    select coalesce(sum(cash), 0) as cash, coalesce(sum(held.fees), 0) as fees,
      coalesce(sum(payout) filter (where payout is not null and not fresh), 0) as paid_least,
      coalesce(sum(coalesce(payout, net)) filter (where resolved), 0) as paid_most
    from held
  ), transfers as (
    select coalesce(sum(amount_micros), 0) as moved,
      coalesce(sum(amount_micros) filter (where amount_micros > 0), 0) as received
    from venue_transfers
    where venue = p_venue
  )
  select
    sums.cash + sums.paid_least + transfers.moved - under_way.most,
    sums.cash + sums.paid_most + transfers.moved + under_way.most,
    sums.fees,
    transfers.received
  into least_micros, most_micros, fees, received_micros
  from sums, under_way, transfers;
end $$;

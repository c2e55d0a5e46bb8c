-- What trading and transfers have made of the cash of our account at a venue, millionths of a dollar: at least and at most. Both
-- are the same unless an order is under way there or the payout of a contract may still come. A cost is rounded up and proceeds
-- are rounded down, fill by fill, as venues do. Pairs of YES and NO are returned as dollars when the second of them is bought.
create or replace function venue_cash(p_venue text, out least_micros numeric, out most_micros numeric) language sql stable as $$
  with traded as (
    select t.listing_id,
      sum(case t.action when 'BUY' then -ceil(f.quantity::numeric * f.price_micros / 1000000) else floor(f.quantity::numeric * f.price_micros / 1000000) end
        - coalesce(f.fee_micros, 0)) as cash,
      coalesce(sum(case t.action when 'BUY' then f.quantity else -f.quantity end) filter (where t.side = 'YES'), 0) as yes,
      coalesce(sum(case t.action when 'BUY' then f.quantity else -f.quantity end) filter (where t.side = 'NO'), 0) as no
    from transmissions t join fills f using (operator_id, order_id) where t.venue = p_venue
    group by t.listing_id
  ), held as (
    select d.cash + least(d.yes, d.no) as cash, abs(d.yes - d.no) as net, c.resolution is not null as resolved,
      -- what the venue pays for the rest; unknown for what a person of ours resolved, and for a market without a result
      case when c.resolved_by = 'venue' and c.resolution <> 'VOID' then floor(abs(d.yes - d.no) * case when d.yes >= d.no then w.yes_worth else 1000000 - w.yes_worth end / 1000000) end as payout,
      c.resolved_at > now() - interval '1 day' as fresh
    from traded d left join listings l on l.venue = p_venue and l.listing_id = d.listing_id left join contracts c using (contract_id)
      cross join lateral (select case c.resolution when 'YES' then 1000000 when 'NO' then 0 else c.split_yes_micros end::numeric as yes_worth) w
  ), sums as (
    select coalesce(sum(cash), 0) as cash,
      coalesce(sum(case when payout is not null and not fresh then payout else 0 end), 0) as paid_least,
      coalesce(sum(case when not resolved then 0 else coalesce(payout, net) end), 0) as paid_most
    from held
  ), open as (
    -- one contract costs, brings and returns at most a dollar
    select coalesce(sum(t.quantity), 0) as most from transmissions t where t.venue = p_venue and t.state <> 'done'
  ), transfers as (
    select coalesce(sum(amount_minor), 0) * 10000 as moved from venue_transfers where venue = p_venue
  )
  select s.cash + s.paid_least + m.moved - o.most, s.cash + s.paid_most + m.moved + o.most from sums s, open o, transfers m
$$;

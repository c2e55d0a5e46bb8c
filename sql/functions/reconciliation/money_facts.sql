-- What the accounts of an operator should hold, from the records of customers, deposits, orders, positions and settlements and
-- never from ledger entries: the second path of the statements and of every account that no customer owns. Cents, unsigned.
-- `test_money`: 10,000.00 for each sandbox customer (rulings 5) and what the test bridge credited. `hosted`, `collateral` and
-- `operator_cash`: what orders and settlements moved on the accounts that pay them. `overrun`: what fills cost beyond what the
-- customer was charged for them, once an order is final.
create or replace function money_facts(p_operator_id text)
returns table (test_money numeric, hosted numeric, deposited numeric, collateral numeric, operator_cash numeric, platform_fees numeric,
  venue_fees numeric, overrun numeric, fees_returned numeric, stakes numeric)
language sql stable parallel safe as $$
  with mode as (
    select o.mode = 'sandbox' as hosted from operators o where o.operator_id = p_operator_id
  ), given as (
    select (select count(*) * 1000000 from customers k where k.operator_id = p_operator_id)
      + (select coalesce(sum(d.credited_minor), 0) from sandbox_deposits d where d.operator_id = p_operator_id) as test_money
  ), ordered as (
    select sum(o.proceeds_minor - o.debit_minor) as total, sum(o.proceeds_minor - o.debit_minor) filter (where o.simulated) as simulated,
      sum(o.platform_fee_minor) as platform_fees, sum(o.venue_fee_minor) as venue_fees
    from orders o where o.operator_id = p_operator_id
  ), taken as (
    select sum(greatest(0, ceil(case when x.action = 'buy' then x.weight + x.fees else x.fees - x.weight end / 10000000000)
      - case when x.action = 'buy' then x.charged else 0 end)) as overrun
    from (
      select o.action, o.trade_minor + o.venue_fee_minor as charged, sum(f.quantity::numeric * f.price_micros) as weight,
        coalesce(sum(f.fee_micros), 0) * 1000000::numeric as fees
      from orders o join fills f on f.operator_id = o.operator_id and f.order_id = o.order_id
      where o.operator_id = p_operator_id and not o.simulated and o.transmission_state = 'resolved'
      group by o.order_id, o.action, o.trade_minor, o.venue_fee_minor) x
  ), settled as (
    select sum(s.settlement_credit_minor + s.void_credit_minor) as total,
      sum(s.settlement_credit_minor + s.void_credit_minor) filter (where s.simulated) as simulated,
      sum(s.entry_fees_minor) filter (where s.resolution = 'VOID') as fees_returned
    from settlements s where s.operator_id = p_operator_id
  ), held as (
    select sum(p.cost_basis_minor - p.entry_fees_minor) as stakes from positions p where p.operator_id = p_operator_id and p.status = 'open'
  ), deposited as (
    select sum(case m.kind when 'deposit' then m.amount_minor else -m.amount_minor end) as amount
    from collateral_movements m where m.operator_id = p_operator_id
  )
  select case when m.hosted then g.test_money else 0 end,
    case when m.hosted then coalesce(o.total, 0) + coalesce(s.total, 0) else 0 end,
    coalesce(d.amount, 0),
    case when m.hosted then 0
      else coalesce(o.total, 0) - coalesce(o.simulated, 0) + coalesce(s.total, 0) - coalesce(s.simulated, 0) end,
    case when m.hosted then 0 else coalesce(o.simulated, 0) + coalesce(s.simulated, 0) end,
    coalesce(o.platform_fees, 0), coalesce(o.venue_fees, 0), coalesce(t.overrun, 0), coalesce(s.fees_returned, 0), coalesce(h.stakes, 0)
  from mode m, given g, ordered o, taken t, settled s, held h, deposited d
$$;

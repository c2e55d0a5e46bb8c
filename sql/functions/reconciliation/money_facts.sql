-- What the accounts of an operator should hold, from the records of customers, deposits, orders,
-- positions and settlements and never from ledger entries: the second path of the statements and of
-- every account that no customer owns. Cents, unsigned. `test_money`: 10,000.00 for each sandbox
-- customer (contract 32.2) and what the test bridge credited. `hosted`, `collateral` and
-- `operator_cash`: what orders and settlements moved on the accounts that pay them. `overrun`: what
-- fills cost beyond what the customer was charged for them, less what a venue paid for more than a
-- sell could deliver, once an order is final.
create or replace function money_facts(p_operator_id text)
returns table (test_money numeric, hosted numeric, deposited numeric, collateral numeric,
  operator_cash numeric, platform_fees numeric,
  venue_fees numeric, overrun numeric, fees_returned numeric, stakes numeric)
language sql stable parallel safe as $$
  with mode as (
    select operator.mode = 'sandbox' as hosted from operators operator
      where operator.operator_id = p_operator_id
  ), given as (
    select (select count(*) * 1000000 from customers customer
      where customer.operator_id = p_operator_id)
      + (select coalesce(sum(deposit.credited_minor), 0) from sandbox_deposits deposit
        where deposit.operator_id = p_operator_id) as test_money
  ), ordered as (
    select sum(order_row.proceeds_minor - order_row.debit_minor) as total,
      sum(order_row.proceeds_minor - order_row.debit_minor)
      filter (where order_row.simulated) as simulated,
      sum(order_row.platform_fee_minor) as platform_fees,
        sum(order_row.venue_fee_minor) as venue_fees
    from orders order_row where order_row.operator_id = p_operator_id
  ), taken as (
    select sum(greatest(0, ceil(case when order_fills.action = 'buy'
      then order_fills.weight + order_fills.fees
      else order_fills.fees - order_fills.weight end / 10000000000)
      - case when order_fills.action = 'buy' then order_fills.charged else 0 end)
      -- fees that a sell was not charged because its proceeds never fall
      + case when order_fills.action = 'sell'
        then least(ceil(order_fills.fees / 10000000000), floor(order_fills.weight / 10000000000))
        + floor(order_fills.weight / 10000000000) - order_fills.charged else 0 end
      - order_fills.gained) as overrun
    from (
      select order_row.action, order_row.trade_minor + order_row.venue_fee_minor as charged,
        order_row.venue_gain_minor as gained,
        sum(fill.quantity::numeric * fill.price_micros) as weight,
        coalesce(sum(fill.fee_micros), 0) * 1000000::numeric as fees
      from orders order_row join fills fill on fill.operator_id = order_row.operator_id
        and fill.order_id = order_row.order_id
      where order_row.operator_id = p_operator_id and not order_row.simulated
        and order_row.transmission_state = 'resolved'
      group by order_row.order_id, order_row.action, order_row.trade_minor,
        order_row.venue_fee_minor, order_row.venue_gain_minor) order_fills
  ), settled as (
    select sum(settlement.settlement_credit_minor + settlement.void_credit_minor) as total,
      sum(settlement.settlement_credit_minor + settlement.void_credit_minor)
        filter (where settlement.simulated) as simulated,
      sum(settlement.entry_fees_minor)
        filter (where settlement.resolution = 'VOID') as fees_returned
    from settlements settlement where settlement.operator_id = p_operator_id
  ), held as (
    select sum(position.cost_basis_minor - position.entry_fees_minor) as stakes
      from positions position where position.operator_id = p_operator_id
      and position.status = 'open'
  ), deposited as (
    select sum(case movement.kind when 'deposit' then movement.amount_minor
      else -movement.amount_minor end) as amount
    from collateral_movements movement where movement.operator_id = p_operator_id
  )
  select case when mode.hosted then given.test_money else 0 end,
    case when mode.hosted then coalesce(ordered.total, 0) + coalesce(settled.total, 0) else 0 end,
    coalesce(deposited.amount, 0),
    case when mode.hosted then 0
      else coalesce(ordered.total, 0) - coalesce(ordered.simulated, 0) + coalesce(settled.total, 0)
        - coalesce(settled.simulated, 0) end,
    case when mode.hosted then 0 else coalesce(ordered.simulated, 0)
      + coalesce(settled.simulated, 0) end,
    coalesce(ordered.platform_fees, 0), coalesce(ordered.venue_fees, 0), coalesce(taken.overrun, 0),
      coalesce(settled.fees_returned, 0), coalesce(held.stakes, 0)
  from mode, given, ordered, taken, settled, held, deposited
$$;

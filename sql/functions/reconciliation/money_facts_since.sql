-- The money of orders that are not final, which later facts will change.
create or replace function open_order_money(p_operator_id text)
returns table (order_id text, debit numeric, proceeds numeric, platform_fee numeric,
  venue_fee numeric) language sql stable parallel safe as $$
  select order_row.order_id, order_row.debit_minor, order_row.proceeds_minor,
    order_row.platform_fee_minor, order_row.venue_fee_minor
  from orders order_row
  where order_row.operator_id = p_operator_id
    and order_row.status in ('reserve_pending', 'pending_venue_execution', 'submitted',
      'partially_filled', 'pending')
    and is_open_order(order_row.status, order_row.transmission_state)
$$;

-- What money_facts returns, made of the facts of an earlier verification and of what changed since.
-- An order changes until it is final: one that was open then counts with the difference, one that
-- was recorded since with all of it. Customers and open positions are counted again.
create or replace function money_facts_since(p_operator_id text, p_verified jsonb)
returns table (test_money numeric, hosted numeric, deposited numeric, collateral numeric,
  operator_cash numeric, platform_fees numeric,
  venue_fees numeric, overrun numeric, fees_returned numeric, stakes numeric)
language sql stable parallel safe as $$
  with mode as (
    select operator.mode = 'sandbox' as hosted, (p_verified ->> 'position')::bigint as after
    from operators operator where operator.operator_id = p_operator_id
  ), was as (
    select verified.* from jsonb_to_record(p_verified -> 'facts') as verified(test_money numeric,
      hosted numeric, deposited numeric, collateral numeric, operator_cash numeric,
      platform_fees numeric, venue_fees numeric, overrun numeric, fees_returned numeric)
  ), opened as materialized (
    select opened.* from jsonb_to_recordset(p_verified -> 'openOrders') as opened(order_id text,
      debit numeric, proceeds numeric, platform_fee numeric, venue_fee numeric)
  ), changed as materialized (
    select order_row.order_id, order_row.simulated,
      order_row.proceeds_minor - coalesce(opened.proceeds, 0)
        - order_row.debit_minor + coalesce(opened.debit, 0) as moved,
      order_row.platform_fee_minor - coalesce(opened.platform_fee, 0) as platform_fee,
      order_row.venue_fee_minor - coalesce(opened.venue_fee, 0) as venue_fee,
      order_row.transmission_state = 'resolved' as resolved, order_row.action,
      order_row.trade_minor + order_row.venue_fee_minor as charged,
      order_row.venue_gain_minor as gained
    from mode cross join (
        -- items inside a row are of the same order as the row
        select item.order_id from feed_item_rows item
        where item.operator_id = p_operator_id and item.order_id is not null
          and item.position > (select mode.after - feed_row_reach() from mode)
        union select item.order_id from posted_items item
        where item.operator_id = p_operator_id and item.position > (select mode.after from mode)
          and item.order_id is not null
        union select opened.order_id from opened) named
      join orders order_row on order_row.operator_id = p_operator_id
        and order_row.order_id = named.order_id
      left join opened on opened.order_id = named.order_id
    where opened.order_id is not null or not exists (select 1 from feed_item_rows earlier
      where earlier.operator_id = p_operator_id and earlier.order_id = order_row.order_id
        and earlier.type = 'order.state_changed' and earlier.position <= mode.after)
  ), ordered as (
    select coalesce(sum(changed.moved), 0) as total,
      coalesce(sum(changed.moved) filter (where changed.simulated), 0) as simulated,
      coalesce(sum(changed.platform_fee), 0) as platform_fees,
      coalesce(sum(changed.venue_fee), 0) as venue_fees
    from changed
  ), taken as (
    select coalesce(sum(greatest(0, ceil(case when order_fills.action = 'buy'
      then order_fills.weight + order_fills.fees
      else order_fills.fees - order_fills.weight end / 10000000000)
      - case when order_fills.action = 'buy' then order_fills.charged else 0 end)
      -- fees that a sell was not charged because its proceeds never fall
      + case when order_fills.action = 'sell'
        then least(ceil(order_fills.fees / 10000000000), floor(order_fills.weight / 10000000000))
        + floor(order_fills.weight / 10000000000) - order_fills.charged else 0 end
      - order_fills.gained), 0) as overrun
    from (
      select changed.action, changed.charged, changed.gained,
        sum(fill.quantity::numeric * fill.price_micros) as weight,
        coalesce(sum(fill.fee_micros), 0) * 1000000::numeric as fees
      from changed join fills fill on fill.operator_id = p_operator_id
        and fill.order_id = changed.order_id
      where not changed.simulated and changed.resolved
      group by changed.order_id, changed.action, changed.charged, changed.gained) order_fills
  ), settled as (
    select coalesce(sum(settlement.settlement_credit_minor + settlement.void_credit_minor), 0)
        as total,
      coalesce(sum(settlement.settlement_credit_minor + settlement.void_credit_minor)
        filter (where settlement.simulated), 0) as simulated,
      coalesce(sum(settlement.entry_fees_minor)
        filter (where settlement.resolution = 'VOID'), 0) as fees_returned
    from settlements settlement where settlement.operator_id = p_operator_id
      and settlement.feed_position > (select mode.after from mode)
  ), credited as (
    -- A deposit that was credited before has its entry before. The look-up is slow (measured: 340
    -- ms for 15,000 deposits), and the time of most deposits makes it unnecessary.
    select coalesce(sum(deposit.credited_minor), 0) as amount
    from (select distinct entry.reference_id from ledger_entries entry
        where entry.operator_id = p_operator_id and entry.position > (select mode.after from mode)
          and entry.reference_type = 'deposit') named
      join sandbox_deposits deposit on deposit.operator_id = p_operator_id
        and deposit.deposit_id = named.reference_id and deposit.credited_at is not null
    where deposit.credited_at >= (select coalesce(
        recorded_at_position(p_operator_id, mode.after), '-infinity') from mode)
      or not exists (select 1 from ledger_entries earlier
        where earlier.operator_id = p_operator_id and earlier.reference_id = deposit.deposit_id
          and earlier.reference_type = 'deposit'
          and earlier.position <= (select mode.after from mode))
  ), given as (
    select count(*) * 1000000 as opening from customers customer
    where customer.operator_id = p_operator_id
  ), held as (
    select coalesce(sum(position.cost_basis_minor - position.entry_fees_minor), 0) as stakes
    from positions position where position.operator_id = p_operator_id
      and position.status = 'open'
  ), deposited as (
    select coalesce(sum(case movement.kind when 'deposit' then movement.amount_minor
      else -movement.amount_minor end), 0) as amount
    from collateral_movements movement where movement.operator_id = p_operator_id
      and movement.sequence > (select mode.after from mode)
  )
  select case when mode.hosted then was.test_money + credited.amount + given.opening
      - (p_verified ->> 'customers')::numeric * 1000000 else 0 end,
    case when mode.hosted then was.hosted + ordered.total + settled.total else 0 end,
    was.deposited + deposited.amount,
    case when mode.hosted then 0 else was.collateral + ordered.total - ordered.simulated
      + settled.total - settled.simulated end,
    case when mode.hosted then 0 else was.operator_cash + ordered.simulated
      + settled.simulated end,
    was.platform_fees + ordered.platform_fees, was.venue_fees + ordered.venue_fees,
    was.overrun + taken.overrun, was.fees_returned + settled.fees_returned, held.stakes
  from mode, was, ordered, taken, settled, credited, given, held, deposited
$$;

-- The `money` of feed items against the rows that it was written with, so that what an operator
-- books from is what the service booked. Orders: `order_money`; settlements: `settlement_amount`;
-- collateral: `collateral_statement`. An entry is its own item.

-- Cents of a decimal string of the wire; exact, because it always has two places.
create or replace function minor_of(p_amount text)
returns bigint language sql immutable parallel safe as $$
  select replace(p_amount, '.', '')::bigint
$$;

-- `order_money`: the items of an order follow its states, and their money is the order's.
create or replace function check_order_items(p_operator_id text, p_base bigint)
returns setof finding language sql stable parallel safe as $$
  with change as materialized (
    select item.position, item.item_id, item.order_id, item.money is not null as has_money, money.*,
      detail."fromState" as from_state, detail."toState" as to_state,
      lag(detail."toState") over items_of_order as previous, lead(item.position) over items_of_order
        is null as last, first_value(detail."fromState") over items_of_order is null as whole
    from leading_items item
      cross join lateral json_to_record(coalesce(item.money, '{}'))
        as money("authorizationAmount" text, "actualDebit" text, "releaseAmount" text,
        "tradeAmount" text,
        "platformFee" text, "venueFee" text)
      cross join lateral json_to_record(item.detail) as detail("fromState" text, "toState" text)
    where item.operator_id = p_operator_id and item.type = 'order.state_changed'
      and item.position > p_base
    window items_of_order as (partition by item.order_id order by item.position)
  ), judged as (
    select change.item_id, change.position, case
      when order_row.order_id is null then 'An order that does not exist changed its state.'
      when change.from_state is distinct from change.previous and change.previous is not null
        then 'The order goes from ' || coalesce(change.from_state, 'nothing') || ' and was '
        || change.previous || '.'
      when change.last and change.to_state <> order_row.status then 'The order is '
        || order_row.status || ', its last item says ' || change.to_state || '.'
      when change.has_money <> (order_row.action = 'buy')
        then 'A buy has money on each of its items, a sell on none.'
      when order_row.action = 'sell' then null
      when minor_of(change."authorizationAmount") <> order_row.authorization_minor
        then 'The authorization is ' || minor_text(order_row.authorization_minor)
        || ', the item says ' || change."authorizationAmount" || '.'
      when minor_of(change."authorizationAmount") <> minor_of(change."actualDebit")
        + minor_of(change."releaseAmount")
        or minor_of(change."actualDebit") <> minor_of(change."tradeAmount")
          + minor_of(change."platformFee") + minor_of(change."venueFee")
          then 'The money of the item does not add up.'
      when change.last and (minor_of(change."actualDebit"), minor_of(change."tradeAmount"),
        minor_of(change."platformFee"), minor_of(change."venueFee"))
        <> case when is_open_order(order_row.status, order_row.transmission_state)
          then (0::bigint, 0::bigint, 0::bigint, 0::bigint)
          else (order_row.debit_minor, order_row.trade_minor, order_row.platform_fee_minor,
            order_row.venue_fee_minor) end
        then 'The money of the last item is not the money of the order.'
      end as problem
    from change left join orders order_row on order_row.operator_id = p_operator_id
      and order_row.order_id = change.order_id
  ), charged as (
    -- fees and proceeds of an order add up over its items, where the window has all of them
    select item.order_id, sum(minor_of(item.money ->> 'amount'))
      filter (where item.type = 'fee.assessed' and item.detail ->> 'kind' = 'platform')
      as platform_fee,
      sum(minor_of(item.money ->> 'amount'))
        filter (where item.type = 'fee.assessed' and item.detail ->> 'kind' = 'venue') as venue_fee,
      sum(minor_of(item.money ->> 'sellProceeds'))
        filter (where item.type = 'position.exited') as proceeds,
      sum(minor_of(item.money ->> 'platformFee'))
        filter (where item.type = 'position.exited') as exit_platform_fee,
      sum(minor_of(item.money ->> 'venueFee'))
        filter (where item.type = 'position.exited') as exit_venue_fee
    from items_after(p_operator_id, p_base) item
    where item.type in ('fee.assessed', 'position.exited') and item.order_id is not null
    group by item.order_id
  ), totals as (
    select order_row.order_id, order_row.platform_fee_minor, order_row.venue_fee_minor,
      order_row.proceeds_minor, order_row.action, charged.platform_fee, charged.venue_fee,
      charged.proceeds, charged.exit_platform_fee, charged.exit_venue_fee
    from change join orders order_row on order_row.operator_id = p_operator_id
      and order_row.order_id = change.order_id left
      join charged on charged.order_id = order_row.order_id
    where change.last and change.whole
  )
  (select 'order_money', 'critical', judged.problem, 'record', judged.item_id from judged
    where judged.problem is not null order by judged.position limit 100)
  union all
  (select 'order_money', 'critical', 'Its fee items make '
    || minor_text(coalesce(totals.platform_fee, 0)) || ' and '
    || minor_text(coalesce(totals.venue_fee, 0))
      || ', the order was charged ' || minor_text(totals.platform_fee_minor) || ' and '
        || minor_text(totals.venue_fee_minor) || '.', 'record', totals.order_id::text
  from totals
  where coalesce(totals.platform_fee, 0) <> totals.platform_fee_minor
    or coalesce(totals.venue_fee, 0) <> totals.venue_fee_minor order by totals.order_id limit 100)
  union all
  (select 'order_money', 'critical', 'Its exits pay ' || minor_text(coalesce(totals.proceeds, 0))
    || ', the order paid ' || minor_text(totals.proceeds_minor) || '.', 'record',
    totals.order_id::text
  from totals
  where totals.action = 'sell' and (coalesce(totals.proceeds, 0) <> totals.proceeds_minor
    or coalesce(totals.exit_platform_fee, 0) <> totals.platform_fee_minor
    or coalesce(totals.exit_venue_fee, 0) <> totals.venue_fee_minor)
      order by totals.order_id limit 100)
$$;

-- `settlement_amount`: the item of a settlement says what the settlement paid.
create or replace function check_settled_items(p_operator_id text, p_base bigint)
returns setof finding language sql stable parallel safe as $$
  select 'settlement_amount', 'critical', 'The item says ' || detail.resolution || ', '
    || detail.outcome || ', ' || coalesce(money."settlementCredit", 'nothing') || ' and '
    || coalesce(money."voidCredit", 'nothing')
    || '; the settlement ' || settlement.resolution || ', ' || settlement.outcome || ', '
      || minor_text(settlement.settlement_credit_minor) || ' and '
      || minor_text(settlement.void_credit_minor) || '.', 'record', settlement.settlement_id::text
  from settlements settlement
    join leading_items item on item.operator_id = settlement.operator_id
      and item.position = settlement.feed_position and item.type = 'position.settled'
    cross join lateral json_to_record(item.money)
      as money("settlementCredit" text, "voidCredit" text)
    cross join lateral json_to_record(item.detail)
      as detail(resolution text, outcome text, contracts numeric, "realisedPnl" text,
      "lifetimeRealisedPnl" text)
  where settlement.operator_id = p_operator_id and settlement.feed_position > p_base
    and (minor_of(money."settlementCredit"), minor_of(money."voidCredit"), detail.resolution,
      detail.outcome, detail.contracts, minor_of(detail."realisedPnl"),
      minor_of(detail."lifetimeRealisedPnl"))
      is distinct from (settlement.settlement_credit_minor, settlement.void_credit_minor,
        settlement.resolution, settlement.outcome, micro_number(settlement.quantity),
        settlement.realised_pnl_minor, settlement.lifetime_realised_pnl_minor)
  order by settlement.feed_position limit 100
$$;

-- Items of collateral against the entries that they name, and deposits and withdrawals against
-- collateral_movements.
-- `collateral_statement`: an item moved what its entry moved, and its balances are right.
create or replace function check_collateral_items(p_operator_id text, p_base bigint)
returns setof finding language sql stable parallel safe as $$
  (with stepped as (
    -- the balances after each entry that moved them, and the items between them
    select line.position, null::text as item_id,
      (array_agg(line.balance_after order by line.line_no desc)
        filter (where line.account_id = 'collateral:available'))[1] as available,
      (array_agg(line.balance_after order by line.line_no desc)
        filter (where line.account_id = 'collateral:committed'))[1] as committed
    from ledger_lines line where line.operator_id = p_operator_id and line.position > p_base
      and line.account_id in ('collateral:available', 'collateral:committed')
    group by line.position
    union all
    select p_base, null, last_balance(p_operator_id, 'collateral:available', p_base),
      last_balance(p_operator_id, 'collateral:committed', p_base)
    union all
    select item.position, item.item_id, null, null from feed_item_rows item
    where item.operator_id = p_operator_id and item.type = 'collateral.moved'
      and item.position > p_base
  ), spanned as (
    select stepped.*, count(stepped.available) over by_position as available_span,
      count(stepped.committed) over by_position as committed_span
    from stepped window by_position as (order by stepped.position)
  ), reached as materialized (
    select spanned.position, spanned.item_id,
      first_value(spanned.available) over (partition by spanned.available_span
        order by spanned.position) as available,
      first_value(spanned.committed) over (partition by spanned.committed_span
        order by spanned.position) as committed
    from spanned
  )
  select 'collateral_statement', 'critical', 'The item says ' || compared.amount || ' and '
    || compared.balance || ' after it, of which ' || compared.committed
    || ' committed; the entry moved '
    || minor_text(coalesce(compared.posted, 0)) || ' and left '
      || minor_text(compared.available_after) || ', ' || minor_text(compared.committed_after)
      || ' committed.', 'record', compared.item_id
  from (
    select item.position, item.item_id, money.amount, money."balanceAfter" as balance,
      money."committedAfter" as committed,
      case detail.kind when 'deposit' then -moved.available when 'withdrawal' then moved.available
        when 'return' then -moved.available when 'commit' then -moved.committed
        else moved.committed end as posted,
      -coalesce(reached.available, 0) as available_after,
      -coalesce(reached.committed, 0) as committed_after
    from feed_item_rows item
      join reached on reached.position = item.position and reached.item_id is not null
      cross join lateral json_to_record(item.money)
        as money(amount text, "balanceAfter" text, "committedAfter" text)
      cross join lateral json_to_record(item.detail) as detail(kind text, "ledgerEntryId" text)
      left join ledger_entries entry on entry.operator_id = item.operator_id
        and entry.entry_id = detail."ledgerEntryId"
      left join lateral (
        select sum(line.amount) filter (where line.account_id = 'collateral:available')
          as available, sum(line.amount)
          filter (where line.account_id = 'collateral:committed') as committed
        from entry_lines(entry.account_ids, entry.amounts,
          entry.balances_after) line) moved on true
    where item.operator_id = p_operator_id and item.type = 'collateral.moved'
      and item.position > p_base) compared
  where (minor_of(compared.amount), minor_of(compared.balance), minor_of(compared.committed))
    is distinct from (compared.posted::bigint, compared.available_after, compared.committed_after)
  order by compared.position limit 100)
  union all
  (select 'collateral_statement', 'critical',
    case when money.reference is null then 'A ' || (item.detail ->> 'kind') || ' of '
    || (item.money ->> 'amount') || ' that was not agreed outside.'
      else 'The ' || money.kind || ' of ' || minor_text(money.amount_minor)
        || ' is not in the feed at ' || money.sequence || '.' end, 'record',
        coalesce(money.reference, item.item_id)
  from (select * from feed_item_rows where operator_id = p_operator_id and type = 'collateral.moved'
    and position > p_base and detail ->> 'kind' in ('deposit', 'withdrawal')) item
    full join (select * from collateral_movements
      where operator_id = p_operator_id and sequence > p_base) money
      on money.sequence = item.position and money.kind = item.detail ->> 'kind'
        and money.amount_minor = minor_of(item.money ->> 'amount')
  where money.reference is null or item.position is null
  order by 5 limit 100)
$$;

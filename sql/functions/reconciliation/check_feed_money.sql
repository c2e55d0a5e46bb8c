-- The `money` of feed items against the rows that it was written with, so that what an operator books from is what the service
-- booked. Orders: `order_money`; settlements: `settlement_amount`; collateral: `collateral_statement`; entries: `feed_gap`.

-- Cents of a decimal string of the wire; exact, because it always has two places.
create or replace function minor_of(p_amount text) returns bigint language sql immutable parallel safe as $$
  select replace(p_amount, '.', '')::bigint
$$;

create or replace function check_order_items(p_operator_id text, p_base bigint) returns setof finding language sql stable parallel safe as $$
  with change as materialized (
    select f.position, f.item_id, f.order_id, f.money is not null as has_money, m.*, d."fromState" as from_state, d."toState" as to_state,
      lag(d."toState") over w as previous, lead(f.position) over w is null as last, first_value(d."fromState") over w is null as whole
    from feed_items f
      cross join lateral json_to_record(coalesce(f.money, '{}')) as m("authorizationAmount" text, "actualDebit" text, "releaseAmount" text, "tradeAmount" text,
        "platformFee" text, "venueFee" text)
      cross join lateral json_to_record(f.detail) as d("fromState" text, "toState" text)
    where f.operator_id = p_operator_id and f.type = 'order.state_changed' and f.position > p_base
    window w as (partition by f.order_id order by f.position)
  ), judged as (
    select c.item_id, c.position, case
      when o.order_id is null then 'An order that does not exist changed its state.'
      when c.from_state is distinct from c.previous and c.previous is not null then 'The order goes from ' || coalesce(c.from_state, 'nothing') || ' and was ' || c.previous || '.'
      when c.last and c.to_state <> o.status then 'The order is ' || o.status || ', its last item says ' || c.to_state || '.'
      when c.has_money <> (o.action = 'buy') then 'A buy has money on each of its items, a sell on none.'
      when o.action = 'sell' then null
      when minor_of(c."authorizationAmount") <> o.authorization_minor then 'The authorization is ' || minor_text(o.authorization_minor) || ', the item says ' || c."authorizationAmount" || '.'
      when minor_of(c."authorizationAmount") <> minor_of(c."actualDebit") + minor_of(c."releaseAmount")
        or minor_of(c."actualDebit") <> minor_of(c."tradeAmount") + minor_of(c."platformFee") + minor_of(c."venueFee") then 'The money of the item does not add up.'
      when c.last and (minor_of(c."actualDebit"), minor_of(c."tradeAmount"), minor_of(c."platformFee"), minor_of(c."venueFee"))
        <> case when is_open_order(o.status, o.transmission_state) then (0::bigint, 0::bigint, 0::bigint, 0::bigint)
          else (o.debit_minor, o.trade_minor, o.platform_fee_minor, o.venue_fee_minor) end
        then 'The money of the last item is not the money of the order.'
      end as problem
    from change c left join orders o on o.operator_id = p_operator_id and o.order_id = c.order_id
  ), charged as (
    -- fees and proceeds of an order add up over its items, where the window has all of them
    select f.order_id, sum(minor_of(f.money ->> 'amount')) filter (where f.type = 'fee.assessed' and f.detail ->> 'kind' = 'platform') as platform_fee,
      sum(minor_of(f.money ->> 'amount')) filter (where f.type = 'fee.assessed' and f.detail ->> 'kind' = 'venue') as venue_fee,
      sum(minor_of(f.money ->> 'sellProceeds')) filter (where f.type = 'position.exited') as proceeds,
      sum(minor_of(f.money ->> 'platformFee')) filter (where f.type = 'position.exited') as exit_platform_fee,
      sum(minor_of(f.money ->> 'venueFee')) filter (where f.type = 'position.exited') as exit_venue_fee
    from feed_items f
    where f.operator_id = p_operator_id and f.type in ('fee.assessed', 'position.exited') and f.position > p_base and f.order_id is not null
    group by f.order_id
  ), totals as (
    select o.order_id, o.platform_fee_minor, o.venue_fee_minor, o.proceeds_minor, o.action, x.platform_fee, x.venue_fee, x.proceeds, x.exit_platform_fee, x.exit_venue_fee
    from change c join orders o on o.operator_id = p_operator_id and o.order_id = c.order_id left join charged x on x.order_id = o.order_id
    where c.last and c.whole
  )
  (select 'order_money', 'critical', j.problem, 'record', j.item_id from judged j where j.problem is not null order by j.position limit 100)
  union all
  (select 'order_money', 'critical', 'Its fee items make ' || minor_text(coalesce(t.platform_fee, 0)) || ' and ' || minor_text(coalesce(t.venue_fee, 0))
      || ', the order was charged ' || minor_text(t.platform_fee_minor) || ' and ' || minor_text(t.venue_fee_minor) || '.', 'record', t.order_id::text
  from totals t
  where coalesce(t.platform_fee, 0) <> t.platform_fee_minor or coalesce(t.venue_fee, 0) <> t.venue_fee_minor order by t.order_id limit 100)
  union all
  (select 'order_money', 'critical', 'Its exits pay ' || minor_text(coalesce(t.proceeds, 0)) || ', the order paid ' || minor_text(t.proceeds_minor) || '.', 'record', t.order_id::text
  from totals t
  where t.action = 'sell' and (coalesce(t.proceeds, 0) <> t.proceeds_minor or coalesce(t.exit_platform_fee, 0) <> t.platform_fee_minor
    or coalesce(t.exit_venue_fee, 0) <> t.venue_fee_minor) order by t.order_id limit 100)
$$;

create or replace function check_settled_items(p_operator_id text, p_base bigint) returns setof finding language sql stable parallel safe as $$
  select 'settlement_amount', 'critical', 'The item says ' || d.resolution || ', ' || d.outcome || ', ' || coalesce(m."settlementCredit", 'nothing') || ' and ' || coalesce(m."voidCredit", 'nothing')
    || '; the settlement ' || s.resolution || ', ' || s.outcome || ', ' || minor_text(s.settlement_credit_minor) || ' and ' || minor_text(s.void_credit_minor) || '.', 'record', s.settlement_id::text
  from settlements s
    join feed_items f on f.operator_id = s.operator_id and f.position = s.feed_position and f.type = 'position.settled'
    cross join lateral json_to_record(f.money) as m("settlementCredit" text, "voidCredit" text)
    cross join lateral json_to_record(f.detail) as d(resolution text, outcome text, contracts numeric, "realisedPnl" text, "lifetimeRealisedPnl" text)
  where s.operator_id = p_operator_id and s.feed_position > p_base
    and (minor_of(m."settlementCredit"), minor_of(m."voidCredit"), d.resolution, d.outcome, d.contracts, minor_of(d."realisedPnl"), minor_of(d."lifetimeRealisedPnl"))
      is distinct from (s.settlement_credit_minor, s.void_credit_minor, s.resolution, s.outcome, micro_number(s.quantity), s.realised_pnl_minor, s.lifetime_realised_pnl_minor)
  order by s.feed_position limit 100
$$;

-- Items of collateral against the entries that they name, and deposits and withdrawals against collateral_movements.
create or replace function check_collateral_items(p_operator_id text, p_base bigint) returns setof finding language sql stable parallel safe as $$
  (select 'collateral_statement', 'critical', 'The item says ' || x.amount || ' and ' || x.balance || ' after it, of which ' || x.committed || ' committed; the entry moved '
    || minor_text(coalesce(x.posted, 0)) || ' and left ' || minor_text(x.available_after) || ', ' || minor_text(x.committed_after) || ' committed.', 'record', x.item_id
  from (
    select f.position, f.item_id, m.amount, m."balanceAfter" as balance, m."committedAfter" as committed,
      case d.kind when 'deposit' then -l.available when 'withdrawal' then l.available when 'return' then -l.available when 'commit' then -l.committed else l.committed end as posted,
      -coalesce((select b.balance_after from ledger_lines b where b.operator_id = f.operator_id and b.account_id = 'collateral:available' and b.position < f.position
        order by b.position desc, b.line_no desc limit 1), 0) as available_after,
      -coalesce((select b.balance_after from ledger_lines b where b.operator_id = f.operator_id and b.account_id = 'collateral:committed' and b.position < f.position
        order by b.position desc, b.line_no desc limit 1), 0) as committed_after
    from feed_items f
      cross join lateral json_to_record(f.money) as m(amount text, "balanceAfter" text, "committedAfter" text)
      cross join lateral json_to_record(f.detail) as d(kind text, "ledgerEntryId" text)
      left join ledger_entries e on e.operator_id = f.operator_id and e.entry_id = d."ledgerEntryId"
      left join lateral (
        select sum(l.amount) filter (where l.account_id = 'collateral:available') as available, sum(l.amount) filter (where l.account_id = 'collateral:committed') as committed
        from ledger_lines l where l.operator_id = e.operator_id and l.position = e.position) l on true
    where f.operator_id = p_operator_id and f.type = 'collateral.moved' and f.position > p_base) x
  where (minor_of(x.amount), minor_of(x.balance), minor_of(x.committed)) is distinct from (x.posted::bigint, x.available_after, x.committed_after)
  order by x.position limit 100)
  union all
  (select 'collateral_statement', 'critical', case when m.reference is null then 'A ' || (f.detail ->> 'kind') || ' of ' || (f.money ->> 'amount') || ' that was not agreed outside.'
      else 'The ' || m.kind || ' of ' || minor_text(m.amount_minor) || ' is not in the feed at ' || m.sequence || '.' end, 'record', coalesce(m.reference, f.item_id)
  from (select * from feed_items where operator_id = p_operator_id and type = 'collateral.moved' and position > p_base and detail ->> 'kind' in ('deposit', 'withdrawal')) f
    full join (select * from collateral_movements where operator_id = p_operator_id and sequence > p_base) m
      on m.sequence = f.position and m.kind = f.detail ->> 'kind' and m.amount_minor = minor_of(f.money ->> 'amount')
  where m.reference is null or f.position is null
  order by 5 limit 100)
$$;

-- Each item of an entry is rebuilt from the entry's lines as text and compared with the item's without blanks, which is much
-- faster than parsing every item. What differs as text is compared by its values.
create or replace function check_posted_items(p_operator_id text, p_base bigint) returns setof finding language sql stable parallel safe
set work_mem = '64MB' as $$
  with line as (
    select l.position, l.line_no, l.account_id, l.amount, case when l.amount > -100 and l.amount < 100 then lpad(abs(l.amount)::text, 3, '0') else abs(l.amount)::text end as digits
    from ledger_lines l where l.operator_id = p_operator_id and l.position > p_base
    offset 0
  ), built as (
    select l.position, sum(l.amount) filter (where l.amount > 0) as debits,
      string_agg(case when l.amount > 0 then concat('{"accountId":"', l.account_id, '","debit":"', left(l.digits, -2), '.', right(l.digits, 2), '","credit":"0.00"}')
        else concat('{"accountId":"', l.account_id, '","debit":"0.00","credit":"', left(l.digits, -2), '.', right(l.digits, 2), '"}') end, ',' order by l.line_no) as lines
    from line l
    group by l.position
  ), said as (
    select b.*, case when b.debits < 100 then lpad(b.debits::text, 3, '0') else b.debits::text end as digits from built b offset 0
  ), differs as (
    select f.position, f.item_id, f.money, b.debits
    from feed_items f left join said b on b.position = f.position
    where f.operator_id = p_operator_id and f.type = 'ledger.posted' and f.position > p_base
      and concat('{"currency":"USD","amount":"', left(b.digits, -2), '.', right(b.digits, 2), '","lines":[', b.lines, ']}') is distinct from replace(f.money::text, ' ', '')
  )
  select 'feed_gap', 'critical', 'The item says ' || coalesce(d.money ->> 'amount', 'nothing') || ', its entry moved ' || coalesce(minor_text(d.debits), 'nothing') || '.', 'record', d.item_id
  from differs d
  where (minor_of(d.money ->> 'amount'), (select json_agg(json_build_array(x."accountId", minor_of(x.debit) - minor_of(x.credit)))::text
        from json_to_recordset(d.money -> 'lines') as x("accountId" text, debit text, credit text)))
    is distinct from (d.debits::bigint, (select json_agg(json_build_array(l.account_id, l.amount) order by l.line_no)::text
        from ledger_lines l where l.operator_id = p_operator_id and l.position = d.position))
  order by d.position limit 100
$$;

-- The money of orders by three paths: the identities that every order keeps, what its fills cost (rulings 1 "Fill of a buy",
-- "Live", "Exit"), and the quote that it accepted.

-- What the fills of an order add up to, for each order that has any. Fees are in millionths of a cent, as weights of prices are
-- (1e-12 dollars), and zero while one of them is unknown. `exited`: the part of a sell that has left its position.
create or replace function fill_sums(p_operator_id text, p_since timestamptz)
returns table (order_id text, fills bigint, last_no integer, quantity numeric, weight numeric, fees numeric, exited_quantity numeric, exited_weight numeric,
  exited_fees numeric)
language sql stable parallel safe as $$
  select f.order_id, count(*), max(f.fill_no), sum(f.quantity), sum(f.quantity::numeric * f.price_micros),
    case when bool_and(f.fee_micros is not null) then sum(f.fee_micros) * 1000000::numeric else 0 end,
    coalesce(sum(f.quantity) filter (where f.fill_no <= o.exited_fills), 0),
    coalesce(sum(f.quantity::numeric * f.price_micros) filter (where f.fill_no <= o.exited_fills), 0),
    coalesce(sum(f.fee_micros) filter (where f.fill_no <= o.exited_fills), 0) * 1000000::numeric
  from fills f join orders o on o.operator_id = f.operator_id and o.order_id = f.order_id
  where f.operator_id = p_operator_id and o.updated_at >= p_since
  group by f.order_id
$$;

-- `order_money` and `order_fills`.
create or replace function check_orders(p_operator_id text, p_since timestamptz) returns setof finding language sql stable parallel safe as $$
  with judged as (
    select o.order_id, o.filled_quantity, coalesce(f.quantity, 0) as fills_quantity, o.price_weight, coalesce(f.weight, 0) as fills_weight, case
      when o.action = 'buy' and o.authorization_minor <> o.debit_minor + o.release_minor then 'Debit and release do not make up the authorization.'
      when o.action = 'buy' and o.debit_minor > o.authorization_minor then 'More was debited than was authorized.'
      when o.action = 'buy' and o.debit_minor <> o.trade_minor + o.platform_fee_minor + o.venue_fee_minor then 'The debit is not trade amount and fees.'
      when o.action = 'sell' and o.proceeds_minor <> o.trade_minor - o.platform_fee_minor - o.venue_fee_minor then 'The proceeds are not notional less fees.'
      when o.status in ('rejected', 'cancelled') and (o.debit_minor <> 0 or o.proceeds_minor <> 0 or o.trade_minor <> 0) then 'An order that ended with nothing has money.'
      when o.filled_quantity = 0 and (o.debit_minor <> 0 or o.proceeds_minor <> 0) then 'Money without contracts.'
      when (o.cancellation_id is not null) <> (o.status = 'cancelled' and o.transmission_state = 'not_transmitted')
        then 'Its cancellation does not fit its state.'
      when not o.simulated and o.transmission_state <> 'not_transmitted' and o.reserve_confirmed_at is null then 'It was sent without a confirmed reserve.'
      when f.quantity is null then null
      when o.action = 'buy' and o.trade_minor <> least(o.quoted_trade_minor, ceil(f.weight / 10000000000)) then 'The trade amount is not what the contracts cost.'
      when o.action = 'buy' and not o.simulated and o.venue_fee_minor <> least(ceil(f.fees / 10000000000), o.quoted_trade_minor - o.trade_minor)
        then 'The venue fee is not what its fills were charged.'
      when o.action = 'buy' and o.quoted_trade_minor > 0
        and o.platform_fee_minor <> least(o.quoted_fee_minor, ceil(o.quoted_fee_minor * (o.trade_minor + o.venue_fee_minor)::numeric / o.quoted_trade_minor))
        then 'The platform fee is not its share of the quoted fee.'
      when o.action = 'sell' and not is_open_order(o.status, o.transmission_state)
        and o.trade_minor <> floor(case when o.simulated then f.weight else f.exited_weight end / 10000000000)
        then 'The notional is not what the contracts brought.'
      when o.action = 'sell' and not o.simulated and o.venue_fee_minor <> least(ceil(f.exited_fees / 10000000000), o.trade_minor)
        then 'The venue fee is not what its fills were charged.'
      when o.action = 'sell' and o.platform_fee_minor <> least(ceil(o.trade_minor * o.fee_bps::numeric / 10000), o.trade_minor - o.venue_fee_minor)
        then 'The platform fee is not its rate of the notional.'
      end as money_problem, case
      when o.filled_quantity <> coalesce(f.quantity, 0)
        then 'The order has ' || micro_number(o.filled_quantity) || ' contracts, its fills ' || micro_number(coalesce(f.quantity, 0)) || '.'
      when o.price_weight <> coalesce(f.weight, 0) then 'The prices of the order are not those of its fills.'
      when o.status = 'filled' and o.filled_quantity = 0 then 'The order is filled and has no contracts.'
      when f.fills <> f.last_no then 'Its fills are numbered to ' || f.last_no || ' and there are ' || f.fills || '.'
      when o.exited_fills > coalesce(f.fills, 0) then 'More of its fills left the position than there are.'
      when not o.simulated and f.fills > 0 and not exists (select 1 from transmissions t where t.operator_id = o.operator_id and t.order_id = o.order_id)
        then 'It has fills and was never sent.'
      end as fills_problem
    from orders o left join fill_sums(p_operator_id, p_since) f on f.order_id = o.order_id
    where o.operator_id = p_operator_id and o.updated_at >= p_since
  )
  (select 'order_money', 'critical', j.money_problem, 'record', j.order_id::text from judged j where j.money_problem is not null order by j.order_id limit 100)
  union all
  (select 'order_fills', 'critical', j.fills_problem, 'record', j.order_id::text from judged j where j.fills_problem is not null order by j.order_id limit 100)
$$;

-- `order_money`: an order has the terms of the quote that it accepted, and the quote names the order. Quotes that were spent are
-- kept for good: in the table of their week first, then in kept_quotes.
create or replace function check_order_terms(p_operator_id text, p_since timestamptz) returns setof finding language sql stable parallel safe as $$
  select 'order_money', 'critical', x.problem, 'record', x.order_id
  from (
    select o.order_id::text, case
      when coalesce(k.quote_id, q.quote_id) is null then 'The quote that it accepted is not kept.'
      when coalesce(k.spent_by, q.spent_by) is distinct from o.order_id then 'The quote that it accepted was spent by another order.'
      when coalesce(k.authorization_minor, q.authorization_minor) <> o.authorization_minor
        then 'The authorization is ' || minor_text(o.authorization_minor) || ', its quote’s ' || minor_text(coalesce(k.authorization_minor, q.authorization_minor)) || '.'
      when (coalesce(k.trade_minor, q.trade_minor), coalesce(k.fee_minor, q.fee_minor), coalesce(k.quantity, q.quantity), coalesce(k.price_micros, q.price_micros),
          coalesce(k.fee_bps, q.fee_bps), coalesce(k.contract_id, q.contract_id)::text, coalesce(k.side, q.side), coalesce(k.action, q.action),
          coalesce(k.external_user_id, q.external_user_id))
        <> (o.quoted_trade_minor, o.quoted_fee_minor, o.quoted_quantity, o.price_micros, o.fee_bps, o.contract_id::text, o.side, o.action, o.external_user_id)
        then 'Its terms are not those of its quote.'
      end as problem
    from orders o
      left join kept_quotes k on k.operator_id = o.operator_id and k.quote_id = o.quote_id
      left join quotes q on q.operator_id = o.operator_id and q.quote_id = o.quote_id
    where o.operator_id = p_operator_id and o.updated_at >= p_since) x
  where x.problem is not null order by x.order_id limit 100
$$;

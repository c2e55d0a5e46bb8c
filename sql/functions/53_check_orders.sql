-- `order_money`: the identities of every order, and the money of simulated fills worked out again from prices.
create or replace function check_order_money(p_operator_id text, p_since timestamptz) returns setof finding language sql stable parallel safe as $$
  select 'order_money', 'critical', x.problem, 'record', x.order_id::text
  from (
    select o.order_id, case
      when o.action = 'buy' and o.authorization_minor <> o.debit_minor + o.release_minor then 'Debit and release do not make up the authorization.'
      when o.action = 'buy' and o.debit_minor <> o.trade_minor + o.platform_fee_minor + o.venue_fee_minor then 'The debit is not trade amount and fees.'
      when o.action = 'sell' and o.proceeds_minor <> o.trade_minor - o.platform_fee_minor - o.venue_fee_minor then 'The proceeds are not notional less fees.'
      when o.status in ('rejected', 'cancelled') and (o.debit_minor <> 0 or o.proceeds_minor <> 0 or o.trade_minor <> 0) then 'An order that ended with nothing has money.'
      when o.filled_quantity = 0 and (o.debit_minor <> 0 or o.proceeds_minor <> 0) then 'Money without contracts.'
      when o.simulated and o.action = 'buy' and o.filled_quantity > 0
        and o.trade_minor <> least(o.quoted_trade_minor, ceil(o.price_weight / 10000000000)) then 'The trade amount is not what the contracts cost.'
      when o.simulated and o.action = 'buy' and o.filled_quantity > 0 and o.quoted_trade_minor > 0
        and o.platform_fee_minor <> least(o.quoted_fee_minor, ceil(o.quoted_fee_minor * (o.trade_minor + o.venue_fee_minor)::numeric / o.quoted_trade_minor))
        then 'The platform fee is not its share of the quoted fee.'
      when o.simulated and o.action = 'sell' and o.filled_quantity > 0 and o.trade_minor <> floor(o.price_weight / 10000000000)
        and not is_open_order(o.status, o.transmission_state) then 'The notional is not what the contracts brought.'
      when o.action = 'sell' and o.trade_minor > 0 and o.simulated and o.platform_fee_minor <> ceil(o.trade_minor * o.fee_bps::numeric / 10000)
        then 'The platform fee is not its rate of the notional.'
      end as problem
    from orders o where o.operator_id = p_operator_id and o.updated_at >= p_since
  ) x
  where x.problem is not null order by x.order_id limit 100
$$;

-- `order_fills`: contracts and price weight of every order against its fills.
create or replace function check_order_fills(p_operator_id text, p_since timestamptz) returns setof finding language sql stable parallel safe as $$
  select 'order_fills', 'critical',
    'The order has ' || micro_number(o.filled_quantity) || ' contracts, its fills ' || micro_number(coalesce(f.quantity, 0)) || '.', 'record', o.order_id::text
  from orders o left join (
    select order_id, sum(quantity) as quantity, sum(quantity::numeric * price_micros) as weight from fills
    where operator_id = p_operator_id group by order_id) f on f.order_id = o.order_id
  where o.operator_id = p_operator_id and o.updated_at >= p_since
    and (o.filled_quantity <> coalesce(f.quantity, 0) or o.price_weight <> coalesce(f.weight, 0)
      or (o.status = 'filled' and o.filled_quantity = 0))
  order by o.order_id limit 100
$$;

-- `order_unresolved`: may or may not be at a venue, for 15 minutes a warning, for a day critical (rulings 2).
create or replace function check_order_unresolved(p_operator_id text) returns setof finding language sql stable parallel safe as $$
  select 'order_unresolved', case when o.since < now() - interval '24 hours' then 'critical' else 'warning' end,
    'The venue has not answered since ' || to_char(o.since at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC; the authorization is held.', 'record', o.order_id::text
  from (select order_id, coalesce(transmitted_at, updated_at) as since from orders
        where operator_id = p_operator_id and status in ('submitted', 'partially_filled') and transmission_state = 'unknown') o
  where o.since < now() - interval '15 minutes'
  order by o.order_id limit 100
$$;

-- The money of orders by three paths: the identities that every order keeps, what its fills cost
-- (contract chapter 13, contract chapter 14), and the quote that it accepted.

-- What the fills of an order add up to, for each order that has any. Fees are in millionths of a
-- cent, as weights of prices are (1e-12 dollars), of those that are known. `known`: of the fills
-- with a known fee, which of a live sell have left the position.
create or replace function fill_sums(p_operator_id text, p_since timestamptz, p_orders text[])
returns table (order_id text, fills bigint, last_no integer, quantity numeric, weight numeric,
  fees numeric, known_fills bigint, known_weight numeric)
language sql stable parallel safe as $$
  select fill.order_id, count(*), max(fill.fill_no), sum(fill.quantity),
    sum(fill.quantity::numeric * fill.price_micros),
    coalesce(sum(fill.fee_micros), 0) * 1000000::numeric, count(fill.fee_micros),
    coalesce(sum(fill.quantity::numeric * fill.price_micros)
      filter (where fill.fee_micros is not null), 0)
  from fills fill join orders order_row on order_row.operator_id = fill.operator_id
    and order_row.order_id = fill.order_id
  where fill.operator_id = p_operator_id and order_row.updated_at >= p_since
    and (p_orders is null or fill.order_id = any (p_orders))
  group by fill.order_id
$$;

-- The fees of a live sell are below their formula where a later fill would have lowered proceeds
-- that were already paid (keepProceeds).
-- `order_money` and `order_fills`, of p_orders or of all that were changed since p_since.
create or replace function check_orders(p_operator_id text, p_since timestamptz, p_orders text[])
returns setof finding language sql stable parallel safe as $$
  with judged as (
    select order_row.order_id, order_row.filled_quantity,
      coalesce(filled.quantity, 0) as fills_quantity, order_row.price_weight,
      coalesce(filled.weight, 0) as fills_weight, case
      when order_row.action = 'buy' and order_row.authorization_minor <> order_row.debit_minor
        + order_row.release_minor then 'Debit and release do not make up the authorization.'
      when order_row.action = 'buy' and order_row.debit_minor > order_row.authorization_minor
        then 'More was debited than was authorized.'
      when order_row.action = 'buy' and order_row.debit_minor <> order_row.trade_minor
        + order_row.platform_fee_minor + order_row.venue_fee_minor
        then 'The debit is not trade amount and fees.'
      when order_row.action = 'sell'
        and order_row.proceeds_minor <> order_row.trade_minor - order_row.platform_fee_minor
        - order_row.venue_fee_minor then 'The proceeds are not notional less fees.'
      when order_row.status in ('rejected', 'cancelled')
        and (order_row.debit_minor <> 0 or order_row.proceeds_minor <> 0
        or order_row.trade_minor <> 0) then 'An order that ended with nothing has money.'
      when order_row.filled_quantity = 0
        and (order_row.debit_minor <> 0 or order_row.proceeds_minor <> 0)
        then 'Money without contracts.'
      when (order_row.cancellation_id is not null)
        <> (order_row.status = 'cancelled' and order_row.transmission_state = 'not_transmitted')
        then 'Its cancellation does not fit its state.'
      when not order_row.simulated and order_row.transmission_state <> 'not_transmitted'
        and order_row.reserve_confirmed_at is null then 'It was sent without a confirmed reserve.'
      when filled.quantity is null then null
      when order_row.action = 'buy' and order_row.trade_minor
        <> least(order_row.quoted_trade_minor, ceil(filled.weight / 10000000000))
        then 'The trade amount is not what the contracts cost.'
      when order_row.action = 'buy' and not order_row.simulated
        and order_row.venue_fee_minor
        <> least(ceil(filled.fees / 10000000000),
        order_row.quoted_trade_minor - order_row.trade_minor)
        then 'The venue fee is not what its fills were charged.'
      when order_row.action = 'buy' and order_row.quoted_trade_minor > 0
        and order_row.platform_fee_minor
          <> least(order_row.quoted_fee_minor,
          ceil(order_row.quoted_fee_minor * (order_row.trade_minor
          + order_row.venue_fee_minor)::numeric / order_row.quoted_trade_minor))
        then 'The platform fee is not its share of the quoted fee.'
      when order_row.action = 'sell'
        and order_row.trade_minor <> floor(filled.known_weight / 10000000000)
        then 'The notional is not what the contracts brought.'
      when order_row.action = 'sell' and not order_row.simulated
        and order_row.venue_fee_minor not between
          case when filled.known_fills > 1 then 0
          else least(ceil(filled.fees / 10000000000), order_row.trade_minor) end
          and least(ceil(filled.fees / 10000000000), order_row.trade_minor)
        then 'The venue fee is not what its fills were charged.'
      when order_row.action = 'sell'
        and order_row.platform_fee_minor not between
          case when filled.known_fills > 1 then 0
          else least(ceil(order_row.trade_minor * order_row.fee_bps::numeric / 10000),
          order_row.trade_minor - order_row.venue_fee_minor) end
          and least(ceil(order_row.trade_minor * order_row.fee_bps::numeric / 10000),
          order_row.trade_minor - order_row.venue_fee_minor)
        then 'The platform fee is not its rate of the notional.'
      end as money_problem, case
      when order_row.filled_quantity <> coalesce(filled.quantity, 0)
        then 'The order has ' || micro_number(order_row.filled_quantity) || ' contracts, its fills '
          || micro_number(coalesce(filled.quantity, 0)) || '.'
      when order_row.price_weight <> coalesce(filled.weight, 0)
        then 'The prices of the order are not those of its fills.'
      when order_row.status = 'filled' and order_row.filled_quantity = 0
        then 'The order is filled and has no contracts.'
      when filled.fills <> filled.last_no then 'Its fills are numbered to ' || filled.last_no
        || ' and there are ' || filled.fills || '.'
      when order_row.action = 'sell' and order_row.intent = 'record_intent'
        and order_row.exited_fills <> coalesce(filled.known_fills, 0)
        then 'Not all of its fills with a known fee left the position, or others did.'
      when not order_row.simulated and filled.fills > 0
        and not exists (select 1 from transmissions attempt
        where attempt.operator_id = order_row.operator_id and attempt.order_id = order_row.order_id)
        then 'It has fills and was never sent.'
      end as fills_problem
    from orders order_row left join fill_sums(p_operator_id, p_since, p_orders) filled
      on filled.order_id = order_row.order_id
    where order_row.operator_id = p_operator_id and order_row.updated_at >= p_since
      and (p_orders is null or order_row.order_id = any (p_orders))
  )
  (select 'order_money', 'critical', judged.money_problem, 'record', judged.order_id::text
    from judged where judged.money_problem is not null order by judged.order_id limit 100)
  union all
  (select 'order_fills', 'critical', judged.fills_problem, 'record', judged.order_id::text
    from judged where judged.fills_problem is not null order by judged.order_id limit 100)
$$;

-- `order_money`: an order has the terms of the quote that it accepted. Quotes that were spent are
-- kept for good: in the table of their week first, then in kept_quotes with their order.
create or replace function check_order_terms(p_operator_id text, p_since timestamptz,
  p_orders text[])
returns setof finding language sql stable parallel safe as $$
  select 'order_money', 'critical', judged.problem, 'record', judged.order_id
  from (
    select order_row.order_id::text, case
      when coalesce(kept.quote_id, quote.quote_id) is null
        then 'The quote that it accepted is not kept.'
      when kept.spent_by <> order_row.order_id
        then 'The quote that it accepted was spent by another order.'
      when coalesce(kept.authorization_minor, quote.authorization_minor)
        <> order_row.authorization_minor
        then 'The authorization is ' || minor_text(order_row.authorization_minor)
          || ', its quote’s ' || minor_text(
          coalesce(kept.authorization_minor, quote.authorization_minor)) || '.'
      when (coalesce(kept.trade_minor, quote.trade_minor),
        coalesce(kept.fee_minor, quote.fee_minor), coalesce(kept.quantity, quote.quantity),
        coalesce(kept.price_micros, quote.price_micros),
          coalesce(kept.fee_bps, quote.fee_bps),
            coalesce(kept.contract_id, quote.contract_id)::text, coalesce(kept.side, quote.side),
            coalesce(kept.action, quote.action),
          coalesce(kept.external_user_id, quote.external_user_id))
        <> (order_row.quoted_trade_minor, order_row.quoted_fee_minor, order_row.quoted_quantity,
          order_row.price_micros, order_row.fee_bps, order_row.contract_id::text, order_row.side,
          order_row.action, order_row.external_user_id)
        then 'Its terms are not those of its quote.'
      end as problem
    from orders order_row
      left join kept_quotes kept on kept.operator_id = order_row.operator_id
        and kept.quote_id = order_row.quote_id
      left join quotes quote on quote.operator_id = order_row.operator_id
        and quote.quote_id = order_row.quote_id
    where order_row.operator_id = p_operator_id and order_row.updated_at >= p_since
      and (p_orders is null or order_row.order_id = any (p_orders))) judged
  where judged.problem is not null order by judged.order_id limit 100
$$;

-- The average price of contracts in micro-dollars, rounded half up, from the sum of quantity times
-- price over their fills. For display: no amount is computed from it. test/trading/
-- average-price.test.ts holds it equal to src/money/exit.ts. PostgreSQL inlines it.
create or replace function average_price(p_price_weight numeric, p_quantity bigint)
returns bigint language sql immutable parallel safe as $$
  select div(2 * p_price_weight + p_quantity, 2 * p_quantity::numeric)::bigint
$$;

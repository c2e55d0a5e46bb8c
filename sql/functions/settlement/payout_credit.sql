-- Cents that a position is credited at a resolution (contract 16.2): integer divisions
-- that round down. test/settlement/settle.test.ts holds it equal to src/money/payout.ts.
create or replace function payout_credit(p_side text, p_quantity bigint, p_cost_basis bigint,
  p_resolution text, p_yes_worth bigint)
returns bigint language sql immutable parallel safe as $$
  select (case
    when p_resolution = 'VOID' then p_cost_basis
    when p_resolution = 'SPLIT' then div(
      p_quantity::numeric * case p_side when 'YES' then p_yes_worth else 1000000 - p_yes_worth end,
      10000000000)
    when p_side = p_resolution then p_quantity / 10000
    else 0 end)::bigint
$$;

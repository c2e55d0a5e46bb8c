-- Pays positions of one operator out at one resolution. Each open position is settled once, however often it is called: what
-- is settled, closed, or has contracts in a sell that may be at a venue is skipped. The caller has locked the customers.
-- p_by_market says that the resolution is the market's, whose version the settlement keeps. Returns the settled positions.
create or replace function pay_positions(p_operator_id text, p_position_ids text[], p_resolution text, p_yes_worth bigint, p_by_market boolean)
returns table (position_id text, settlement_id text) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  payouts payout[];
  sandbox boolean;
begin
  select mode = 'sandbox' into sandbox from operators where operator_id = p_operator_id;

  select array_agg(row(x.n, x.position_id, 'stl_' || replace(uuidv7_text(), '-', ''), x.external_user_id, x.contract_id, x.side,
      x.quantity, x.cost_basis_minor, x.entry_fees_minor, x.credit,
      case when p_resolution in ('VOID', 'SPLIT') then 'void' when x.side = p_resolution then 'won' else 'lost' end,
      x.realised_pnl_minor + x.credit - x.cost_basis_minor, x.simulated,
      case when sandbox then 'wallet:' || x.external_user_id when x.simulated then 'operator:cash' else 'collateral:available' end)::payout
    order by x.n)
  into payouts
  from (
    select p.*, row_number() over (order by p.position_id) as n, payout_credit(p.side, p.quantity, p.cost_basis_minor, p_resolution, p_yes_worth) as credit
    from (select distinct unnest(p_position_ids) as id) i cross join lateral (
      select * from positions p where p.operator_id = p_operator_id and p.position_id = i.id limit 1) p
    where p.status = 'open' and p.held_quantity = 0
      -- a live buy whose venue fee is still being read would change what the position cost
      and (p.simulated or not exists (select 1 from orders r where r.operator_id = p.operator_id and r.position_id = p.position_id
        and r.status = 'partially_filled' and r.transmission_state = 'unknown'))
  ) x;
  if payouts is null then
    return;
  end if;

  update positions p set status = 'settled', quantity = 0, cost_basis_minor = 0, entry_fees_minor = 0, price_weight = 0,
    realised_pnl_minor = x.lifetime_minor, updated_at = clock_timestamp(), version = p.version + 1
  from unnest(payouts) x where p.operator_id = p_operator_id and p.position_id = x.position_id;

  perform add_exposures(array_agg(p_operator_id), array_agg(x.external_user_id), array_agg(-x.cost_minor))
  from unnest(payouts) x where not x.simulated and x.cost_minor > 0;
  update position_holdings h set quantity = 0, held_quantity = 0
  from unnest(payouts) x where not x.simulated and h.operator_id = p_operator_id and h.position_id = x.position_id;

  insert into settlements (operator_id, settlement_id, position_id, feed_position, external_user_id, contract_id, side, resolution,
    yes_worth_micros, resolution_version, outcome, quantity, cost_basis_minor, entry_fees_minor, settlement_credit_minor, void_credit_minor,
    realised_pnl_minor, lifetime_realised_pnl_minor, simulated, settled_at)
  select p_operator_id, x.settlement_id, x.position_id, r.feed_position, x.external_user_id, x.contract_id, x.side, p_resolution,
    p_yes_worth, case when p_by_market then (select c.resolution_version from contracts c where c.contract_id = x.contract_id) end,
    x.outcome, x.quantity, x.cost_minor, x.fees_minor,
    case when x.outcome = 'won' then x.credit_minor else 0 end, case when x.outcome = 'void' then x.credit_minor else 0 end,
    x.credit_minor - x.cost_minor, x.lifetime_minor, x.simulated, r.recorded_at
  from record_facts(payout_facts(p_operator_id, payouts, p_resolution)) r
    join unnest(payouts) x on x.n = (r.ord + 1) / 4
  where r.ord % 4 = 3;

  return query select x.position_id, x.settlement_id from unnest(payouts) x;
end $$;

-- Money of an operator as orders and settlements tell it, never the ledger: the other path of the statements and accounts.
create or replace function money_facts(p_operator_id text)
returns table (hosted numeric, collateral numeric, operator_cash numeric, platform_fees numeric, venue_fees numeric, fees_returned numeric, stakes numeric)
language sql stable parallel safe as $$
  with mode as (
    select o.mode = 'sandbox' as hosted from operators o where o.operator_id = p_operator_id
  ), ordered as (
    select sum(o.proceeds_minor - o.debit_minor) as total, sum(o.proceeds_minor - o.debit_minor) filter (where o.simulated) as simulated,
      sum(o.platform_fee_minor) as platform_fees, sum(o.venue_fee_minor) as venue_fees
    from orders o where o.operator_id = p_operator_id
  ), settled as (
    select sum(s.settlement_credit_minor + s.void_credit_minor) as total,
      sum(s.settlement_credit_minor + s.void_credit_minor) filter (where s.simulated) as simulated,
      sum(s.entry_fees_minor) filter (where s.resolution = 'VOID') as fees_returned
    from settlements s where s.operator_id = p_operator_id
  ), held as (
    select sum(p.cost_basis_minor - p.entry_fees_minor) as stakes from positions p where p.operator_id = p_operator_id and p.status = 'open'
  )
  select case when m.hosted then coalesce(o.total, 0) + coalesce(s.total, 0) else 0 end,
    case when m.hosted then 0
      else coalesce(o.total, 0) - coalesce(o.simulated, 0) + coalesce(s.total, 0) - coalesce(s.simulated, 0) end,
    case when m.hosted then 0 else coalesce(o.simulated, 0) + coalesce(s.simulated, 0) end,
    coalesce(o.platform_fees, 0), coalesce(o.venue_fees, 0), coalesce(s.fees_returned, 0), coalesce(h.stakes, 0)
  from mode m, ordered o, settled s, held h
$$;

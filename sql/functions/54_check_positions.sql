-- `position_quantity`: contracts bought less contracts sold, of each customer, contract and side, against what is held open
-- and what was settled. Contracts of a live sell leave when the venue's fee is known (orders.exited_fills).
create or replace function check_position_quantity(p_operator_id text) returns setof finding language sql stable parallel safe as $$
  with moved as (
    select o.external_user_id, o.contract_id, o.side, o.simulated, sum(case
        when o.action = 'buy' then o.filled_quantity
        when o.transmission_state = 'resolved' then -o.filled_quantity
        else -coalesce((select sum(f.quantity) from fills f
          where f.operator_id = o.operator_id and f.order_id = o.order_id and f.fill_no <= o.exited_fills), 0) end) as quantity
    from orders o where o.operator_id = p_operator_id and o.filled_quantity > 0
    group by 1, 2, 3, 4
  ), held as (
    select h.external_user_id, h.contract_id, h.side, h.simulated, sum(h.quantity) as quantity, max(h.position_id) as position_id
    from (
      select external_user_id, contract_id, side, simulated, quantity, position_id::text as position_id from positions where operator_id = p_operator_id
      union all
      select external_user_id, contract_id, side, simulated, quantity, position_id::text from settlements where operator_id = p_operator_id) h
    group by 1, 2, 3, 4
  )
  select 'position_quantity', 'critical', 'Fills leave ' || micro_number(coalesce(m.quantity, 0)) || ' contracts, the position has '
    || micro_number(coalesce(h.quantity, 0)) || ' held or settled.', case when h.position_id is null then 'user' else 'record' end,
    coalesce(h.position_id, m.external_user_id)
  from moved m full join held h on h.external_user_id = m.external_user_id and h.contract_id = m.contract_id and h.side = m.side and h.simulated = m.simulated
  where coalesce(m.quantity, 0) <> coalesce(h.quantity, 0)
  order by 5 limit 100
$$;

-- `position_cost`: what was debited less what came back is the cost of what is held less the profit that was booked.
create or replace function check_position_cost(p_operator_id text) returns setof finding language sql stable parallel safe as $$
  with moved as (
    select o.external_user_id, o.contract_id, o.side, o.simulated, sum(o.debit_minor - o.proceeds_minor) as spent
    from orders o where o.operator_id = p_operator_id and o.filled_quantity > 0
    group by 1, 2, 3, 4
  ), settled as (
    select external_user_id, contract_id, side, simulated, sum(settlement_credit_minor + void_credit_minor) as credit
    from settlements where operator_id = p_operator_id group by 1, 2, 3, 4
  ), held as (
    select external_user_id, contract_id, side, simulated, sum(cost_basis_minor - realised_pnl_minor) as cost, max(position_id::text) as position_id
    from positions where operator_id = p_operator_id group by 1, 2, 3, 4
  )
  select 'position_cost', 'critical', 'Orders and settlements leave ' || minor_text(coalesce(m.spent, 0) - coalesce(s.credit, 0))
    || ' in it, cost basis less realised profit is ' || minor_text(coalesce(h.cost, 0)) || '.', case when h.position_id is null then 'user' else 'record' end,
    coalesce(h.position_id, m.external_user_id)
  from moved m
    full join held h on h.external_user_id = m.external_user_id and h.contract_id = m.contract_id and h.side = m.side and h.simulated = m.simulated
    left join settled s on s.external_user_id = m.external_user_id and s.contract_id = m.contract_id and s.side = m.side and s.simulated = m.simulated
  where coalesce(m.spent, 0) - coalesce(s.credit, 0) <> coalesce(h.cost, 0)
  order by 5 limit 100
$$;

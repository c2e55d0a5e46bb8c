-- Positions against what orders and settlements say, for each customer, contract and side, in one pass:
-- `position_quantity`: contracts bought less contracts sold are what is held open and what was settled. Contracts of a live
-- sell leave when the venue's fee is known (orders.exited_fills).
-- `position_cost`: what was debited less what came back is the cost of what is held less the profit that was booked.
create or replace function check_positions(p_operator_id text) returns setof finding language sql stable parallel safe as $$
  with moved as (
    select o.external_user_id, o.contract_id, o.side, o.simulated, sum(o.debit_minor - o.proceeds_minor)::bigint as spent, sum(case
        when o.action = 'buy' then o.filled_quantity
        when o.transmission_state = 'resolved' then -o.filled_quantity
        else -coalesce((select sum(f.quantity)::bigint from fills f
          where f.operator_id = o.operator_id and f.order_id = o.order_id and f.fill_no <= o.exited_fills), 0) end)::bigint as quantity
    from orders o where o.operator_id = p_operator_id and o.filled_quantity > 0
    group by 1, 2, 3, 4
  ), held as (
    select h.external_user_id, h.contract_id, h.side, h.simulated, sum(h.quantity)::bigint as quantity, sum(h.left_in)::bigint as left_in, max(h.position_id) as position_id
    from (
      select external_user_id, contract_id, side, simulated, quantity, cost_basis_minor - realised_pnl_minor as left_in, position_id::text as position_id
      from positions where operator_id = p_operator_id
      union all
      select external_user_id, contract_id, side, simulated, quantity, settlement_credit_minor + void_credit_minor, position_id::text
      from settlements where operator_id = p_operator_id) h
    group by 1, 2, 3, 4
  ), wrong as (
    select coalesce(m.quantity, 0) as bought, coalesce(h.quantity, 0) as held, coalesce(m.spent, 0) as spent, coalesce(h.left_in, 0) as left_in,
      case when h.position_id is null then 'user' else 'record' end as subject_type, coalesce(h.position_id, m.external_user_id) as subject_id
    from moved m full join held h on h.external_user_id = m.external_user_id and h.contract_id = m.contract_id and h.side = m.side and h.simulated = m.simulated
    where m.quantity is distinct from h.quantity or m.spent is distinct from h.left_in
  )
  (select 'position_quantity', 'critical', 'Fills leave ' || micro_number(w.bought) || ' contracts, the position has ' || micro_number(w.held)
    || ' held or settled.', w.subject_type, w.subject_id
  from wrong w where w.bought <> w.held order by 5 limit 100)
  union all
  (select 'position_cost', 'critical', 'Orders put ' || minor_text(w.spent) || ' into it; cost basis, profit and credits make ' || minor_text(w.left_in) || '.',
    w.subject_type, w.subject_id
  from wrong w where w.spent <> w.left_in order by 5 limit 100)
$$;

-- Positions against what orders and settlements say, for each customer, contract and side, in one
-- pass: `position_quantity`: contracts bought less contracts sold are what is held open and what
-- was settled. Contracts of a live sell leave when the venue's fee is known.
-- `position_cost`: what was debited less what came back is the cost of what is held less the profit
-- that was booked. Of p_customers, or of all.
create or replace function check_positions(p_operator_id text, p_customers text[])
returns setof finding language sql stable parallel safe as $$
  with moved as (
    select order_row.external_user_id, order_row.contract_id, order_row.side, order_row.simulated,
      sum(order_row.debit_minor - order_row.proceeds_minor)::bigint as spent, sum(case
        when order_row.action = 'buy' then order_row.filled_quantity
        when order_row.transmission_state = 'resolved' then -order_row.filled_quantity
        else -coalesce((select sum(fill.quantity)::bigint from fills fill
          where fill.operator_id = order_row.operator_id and fill.order_id = order_row.order_id
            and fill.fee_micros is not null), 0) end)::bigint as quantity
    from orders order_row where order_row.operator_id = p_operator_id
      and order_row.filled_quantity > 0
      and (p_customers is null or order_row.external_user_id = any (p_customers))
    group by 1, 2, 3, 4
  ), held as (
    select part.external_user_id, part.contract_id, part.side, part.simulated,
      sum(part.quantity)::bigint as quantity, sum(part.left_in)::bigint as left_in,
      max(part.position_id) as position_id
    from (
      select external_user_id, contract_id, side, simulated, quantity,
        cost_basis_minor - realised_pnl_minor as left_in, position_id::text as position_id
      from positions where operator_id = p_operator_id
        and (p_customers is null or external_user_id = any (p_customers))
      union all
      select external_user_id, contract_id, side, simulated, quantity,
        settlement_credit_minor + void_credit_minor, position_id::text
      from settlements where operator_id = p_operator_id
        and (p_customers is null or external_user_id = any (p_customers))) part
    group by 1, 2, 3, 4
  ), wrong as (
    select coalesce(moved.quantity, 0) as bought, coalesce(held.quantity, 0) as held,
      coalesce(moved.spent, 0) as spent, coalesce(held.left_in, 0) as left_in,
      case when held.position_id is null then 'user' else 'record' end as subject_type,
        coalesce(held.position_id, moved.external_user_id) as subject_id
    from moved full join held on held.external_user_id = moved.external_user_id
      and held.contract_id = moved.contract_id and held.side = moved.side
      and held.simulated = moved.simulated
    where moved.quantity is distinct from held.quantity or moved.spent is distinct from held.left_in
  )
  (select 'position_quantity', 'critical', 'Fills leave ' || micro_number(wrong.bought)
    || ' contracts, the position has ' || micro_number(wrong.held)
    || ' held or settled.', wrong.subject_type, wrong.subject_id
  from wrong where wrong.bought <> wrong.held order by 5 limit 100)
  union all
  (select 'position_cost', 'critical', 'Orders put ' || minor_text(wrong.spent)
    || ' into it; cost basis, profit and credits make ' || minor_text(wrong.left_in) || '.',
    wrong.subject_type, wrong.subject_id
  from wrong where wrong.spent <> wrong.left_in order by 5 limit 100)
$$;

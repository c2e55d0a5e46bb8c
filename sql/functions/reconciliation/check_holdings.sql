-- What is kept beside orders and positions as running figures, against the rows that they follow from. `position_quantity`:
-- contracts held back for open sells, and what of a live position is held at which venue. `position_cost`: exposure.
create or replace function check_holdings(p_operator_id text) returns setof finding language sql stable parallel safe as $$
  with selling as (
    select o.position_id, sum(o.quoted_quantity - coalesce((select sum(f.quantity) from fills f
      where f.operator_id = o.operator_id and f.order_id = o.order_id and f.fill_no <= o.exited_fills), 0)) as held
    from orders o
    where o.operator_id = p_operator_id and o.action = 'sell' and is_open_order(o.status, o.transmission_state)
      and o.status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'pending')
    group by o.position_id
  ), held as (
    select p.position_id, p.held_quantity from positions p where p.operator_id = p_operator_id and p.held_quantity <> 0
  ), venues as (
    select h.position_id, sum(h.quantity) as quantity, sum(h.held_quantity) as held from position_holdings h where h.operator_id = p_operator_id group by h.position_id
  ), exposed as (
    select u.external_user_id, sum(x.amount) as amount
    from (
      select o.external_user_id, o.authorization_minor as amount from orders o
      where o.operator_id = p_operator_id and o.transmission_state = 'unknown' and o.action = 'buy' and not o.simulated
        and o.status in ('submitted', 'partially_filled')
      union all
      select p.external_user_id, p.cost_basis_minor from positions p
      where p.operator_id = p_operator_id and p.status = 'open' and not p.simulated) x
      -- the operator's own total stands under the empty name
      cross join lateral (values (x.external_user_id), ('')) u(external_user_id)
    group by u.external_user_id
  )
  (select 'position_quantity', 'critical', 'Holds back ' || micro_number(coalesce(h.held_quantity, 0)) || ' contracts, open sells ask for '
    || micro_number(coalesce(s.held, 0)) || '.', 'record', coalesce(h.position_id, s.position_id)::text
  from held h full join selling s on s.position_id = h.position_id
  where coalesce(h.held_quantity, 0) <> coalesce(s.held, 0) order by 5 limit 100)
  union all
  (select 'position_quantity', 'critical', 'The position has ' || micro_number(p.quantity) || ' contracts, ' || micro_number(p.held_quantity)
    || ' of them held back; at venues ' || micro_number(coalesce(v.quantity, 0)) || ', ' || micro_number(coalesce(v.held, 0)) || ' held back.',
    'record', p.position_id::text
  from positions p left join venues v on v.position_id = p.position_id
  where p.operator_id = p_operator_id and not p.simulated and (p.quantity <> coalesce(v.quantity, 0) or p.held_quantity <> coalesce(v.held, 0))
  order by p.position_id limit 100)
  union all
  (select 'position_cost', 'critical', 'The exposure is kept as ' || minor_text(coalesce(e.exposure_minor, 0)) || '; unresolved orders and open positions make '
    || minor_text(coalesce(x.amount, 0)) || '.', case when coalesce(e.external_user_id, x.external_user_id) = '' then 'record' else 'user' end,
    coalesce(nullif(coalesce(e.external_user_id, x.external_user_id), ''), p_operator_id)
  from (select * from exposures where operator_id = p_operator_id) e full join exposed x on x.external_user_id = e.external_user_id
  where coalesce(e.exposure_minor, 0) <> coalesce(x.amount, 0) order by 5 limit 100)
$$;

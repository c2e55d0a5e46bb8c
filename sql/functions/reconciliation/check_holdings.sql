-- What is kept beside orders and positions as running figures, against the rows that they follow
-- from. `position_quantity`: contracts held back for open sells, and what of a live position is
-- held at which venue; of p_positions, or of all. `position_cost`: exposure.
create or replace function check_holdings(p_operator_id text, p_positions text[])
returns setof finding language sql stable parallel safe as $$
  with selling as (
    select order_row.position_id, sum(order_row.quoted_quantity
      - coalesce((select sum(fill.quantity) from fills fill
      where fill.operator_id = order_row.operator_id and fill.order_id = order_row.order_id
        and fill.fee_micros is not null), 0)) as held
    from orders order_row
    where order_row.operator_id = p_operator_id and order_row.action = 'sell'
      and is_open_order(order_row.status, order_row.transmission_state)
      and order_row.status in ('reserve_pending', 'pending_venue_execution', 'submitted',
        'partially_filled', 'pending')
      and (p_positions is null or order_row.position_id = any (p_positions))
    group by order_row.position_id
  ), held as (
    select position.position_id, position.held_quantity from positions position
      where position.operator_id = p_operator_id and position.held_quantity <> 0
      and (p_positions is null or position.position_id = any (p_positions))
  ), venues as (
    select holding.position_id, sum(holding.quantity) as quantity,
      sum(holding.held_quantity) as held from position_holdings holding
      where holding.operator_id = p_operator_id
        and (p_positions is null or holding.position_id = any (p_positions))
      group by holding.position_id
  ), exposed as (
    select owner.external_user_id, sum(counted.amount) as amount
    from (
      select order_row.external_user_id, order_row.authorization_minor as amount
        from orders order_row
      where order_row.operator_id = p_operator_id and order_row.transmission_state = 'unknown'
        and order_row.action = 'buy' and not order_row.simulated
        and order_row.status in ('submitted', 'partially_filled')
      union all
      select position.external_user_id, position.cost_basis_minor from positions position
      where position.operator_id = p_operator_id and position.status = 'open'
        and not position.simulated) counted
      -- the operator's own total has the empty name
      cross join lateral (values (counted.external_user_id), ('')) owner(external_user_id)
    group by owner.external_user_id
  )
  (select 'position_quantity', 'critical', 'Holds back '
    || micro_number(coalesce(held.held_quantity, 0)) || ' contracts, open sells ask for '
    || micro_number(coalesce(selling.held, 0)) || '.', 'record',
      coalesce(held.position_id, selling.position_id)::text
  from held full join selling on selling.position_id = held.position_id
  where coalesce(held.held_quantity, 0) <> coalesce(selling.held, 0) order by 5 limit 100)
  union all
  (select 'position_quantity', 'critical', 'The position has ' || micro_number(position.quantity)
    || ' contracts, ' || micro_number(position.held_quantity)
    || ' of them held back; at venues ' || micro_number(coalesce(venues.quantity, 0)) || ', '
      || micro_number(coalesce(venues.held, 0)) || ' held back.',
    'record', position.position_id::text
  from positions position left join venues on venues.position_id = position.position_id
  where position.operator_id = p_operator_id and not position.simulated
    and (p_positions is null or position.position_id = any (p_positions))
    and (position.quantity <> coalesce(venues.quantity, 0)
    or position.held_quantity <> coalesce(venues.held, 0))
  order by position.position_id limit 100)
  union all
  (select 'position_cost', 'critical', 'The exposure is kept as '
    || minor_text(coalesce(exposure.exposure_minor, 0))
    || '; unresolved orders and open positions make '
    || minor_text(coalesce(exposed.amount, 0)) || '.',
      case when coalesce(exposure.external_user_id, exposed.external_user_id) = '' then 'record'
      else 'user' end,
    coalesce(nullif(coalesce(exposure.external_user_id, exposed.external_user_id), ''),
      p_operator_id)
  from (select * from exposures where operator_id = p_operator_id) exposure full
    join exposed on exposed.external_user_id = exposure.external_user_id
  where coalesce(exposure.exposure_minor, 0) <> coalesce(exposed.amount, 0) order by 5 limit 100)
$$;

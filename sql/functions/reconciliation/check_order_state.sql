-- `order_unresolved`: may or may not be at a venue, for 15 minutes a warning, for a day critical
-- (contract 22.13); and an order, of p_orders or of all, whose status and transmission state
-- exclude each other.
create or replace function check_order_state(p_operator_id text, p_orders text[])
returns setof finding language sql stable parallel safe as $$
  (select 'order_unresolved', case when waiting.since < now() - interval '24 hours' then 'critical'
    else 'warning' end,
    'The venue has not answered since '
      || to_char(waiting.since at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
      || ' UTC; the authorization is held.', 'record', waiting.order_id::text
  from (select order_id, coalesce(transmitted_at, updated_at) as since from orders
        where operator_id = p_operator_id and status in ('submitted', 'partially_filled')
          and transmission_state = 'unknown') waiting
  where waiting.since < now() - interval '15 minutes'
  order by waiting.order_id limit 100)
  union all
  (select 'order_unresolved', 'critical', 'The order is ' || order_row.status
    || ' and its transmission ' || order_row.transmission_state || '.', 'record',
    order_row.order_id::text
  from orders order_row
  where order_row.operator_id = p_operator_id
    and (p_orders is null or order_row.order_id = any (p_orders)) and (
    (order_row.status in ('filled', 'rejected') and order_row.transmission_state <> 'resolved')
    or (order_row.status in ('reserve_pending', 'pending_venue_execution')
      and order_row.transmission_state <> 'not_transmitted')
    or (order_row.status = 'submitted' and order_row.transmission_state <> 'unknown')
    or (order_row.status = 'cancelled' and order_row.transmission_state = 'unknown'))
  order by order_row.order_id limit 100)
$$;

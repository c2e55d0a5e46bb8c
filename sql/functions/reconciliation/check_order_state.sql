-- `order_unresolved`: may or may not be at a venue, for 15 minutes a warning, for a day critical (rulings 2); and an order whose
-- status and transmission state exclude each other.
create or replace function check_order_state(p_operator_id text) returns setof finding language sql stable parallel safe as $$
  (select 'order_unresolved', case when o.since < now() - interval '24 hours' then 'critical' else 'warning' end,
    'The venue has not answered since ' || to_char(o.since at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC; the authorization is held.', 'record', o.order_id::text
  from (select order_id, coalesce(transmitted_at, updated_at) as since from orders
        where operator_id = p_operator_id and status in ('submitted', 'partially_filled') and transmission_state = 'unknown') o
  where o.since < now() - interval '15 minutes'
  order by o.order_id limit 100)
  union all
  (select 'order_unresolved', 'critical', 'The order is ' || o.status || ' and its transmission ' || o.transmission_state || '.', 'record', o.order_id::text
  from orders o
  where o.operator_id = p_operator_id and (
    (o.status in ('filled', 'rejected') and o.transmission_state <> 'resolved')
    or (o.status in ('reserve_pending', 'pending_venue_execution') and o.transmission_state <> 'not_transmitted')
    or (o.status = 'submitted' and o.transmission_state <> 'unknown')
    or (o.status = 'cancelled' and o.transmission_state = 'unknown'))
  order by o.order_id limit 100)
$$;

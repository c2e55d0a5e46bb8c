-- The operators of which this cell has rows, but which another cell holds: they have left, or have
-- not arrived yet.
create or replace function operators_elsewhere()
returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(move.operator_id::text), '{}') from operator_moves move
  where move.state in ('left', 'arriving', 'cancelled')
$$;

-- The operators that must not act in this cell: another one holds them, or their move has closed
-- them. Jobs leave them out.
create or replace function operators_at_rest()
returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(move.operator_id::text), '{}') from operator_moves move
  where move.state in ('fenced', 'left', 'arriving', 'cancelled')
$$;

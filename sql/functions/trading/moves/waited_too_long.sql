-- Whether an order is still unsent five minutes after its reserve was confirmed and both gates were
-- open, whatever the cause (contract 18.14). An order that waits was changed last when its reserve
-- was confirmed, or when it was armed.
create or replace function waited_too_long(p_status text, p_updated_at timestamptz,
  p_execution_confirmed_at timestamptz) returns boolean language sql stable as $$
  select p_status = 'pending_venue_execution'
    and greatest(p_updated_at, p_execution_confirmed_at) < clock_timestamp() - interval '5 minutes'
$$;

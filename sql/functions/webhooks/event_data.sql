-- No webhook event raised at that moment or later has a smaller id: ids begin with milliseconds.
create or replace function event_id_at(p_moment timestamptz)
returns text language sql immutable as $$
  select 'evn_' || lpad(to_hex((extract(epoch from p_moment) * 1000)::bigint), 12, '0')
$$;

-- When the id of a webhook event was made.
create or replace function event_time(p_event_id text)
returns timestamptz language sql immutable as $$
  select to_timestamp(('x0000' || substr(p_event_id, 5, 12))::bit(64)::bigint / 1000.0)
$$;

-- The data of an event that was moved away from it, as it was raised. A function of its own, so
-- that a claim of new deliveries opens none of the partitions.
create or replace function old_event_text(p_operator_id text, p_event_id text)
returns text language plpgsql stable as $$
begin
  return (select kept.data::text from old_event_data kept
    where kept.operator_id = p_operator_id and kept.event_id = p_event_id);
end $$;

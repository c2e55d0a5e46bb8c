-- When the item at a position was recorded, or the last one before it if it is missing.
create or replace function recorded_at_position(p_operator_id text, p_position bigint)
returns timestamptz language plpgsql stable parallel safe as $$
begin
  return (
    select row.recorded_at from journal row
    where row.operator_id = p_operator_id and row.sequence <= p_position
    order by row.sequence desc limit 1);
end $$;

-- The last position of an operator's feed that was recorded before a moment, or 0; it ends a row.
-- Times rise with positions, because append_to_journal keeps them from going back. So this is a
-- binary search of about thirty look-ups and needs no index on time. A missing row is skipped. It
-- reads with the owner's rights and returns a position only, because on Citus the server of the
-- rows does not know whose rows the caller sees.
create or replace function feed_position_at(p_operator_id text, p_at timestamptz)
returns bigint language plpgsql stable parallel safe security definer
-- The search path is fixed, because the function runs with the owner's rights. Each step is one
-- look-up in the order of the primary key.
set search_path = public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  v_low bigint := 0;
  v_high bigint;
  v_middle bigint;
  v_seen timestamptz;
begin
  if not sees_operator(p_operator_id) then
    return 0;
  end if;
  select ledger.sequence into v_high from operator_ledgers ledger
    where ledger.operator_id = p_operator_id;
  if v_high is null or p_at = '-infinity' then
    return 0;
  end if;
  if p_at = 'infinity' then
    return v_high;
  end if;
  -- everything up to low is before p_at, everything after high is not
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2 + 1;
    v_seen := recorded_at_position(p_operator_id, v_middle);
    if v_seen is null or v_seen >= p_at then
      v_high := v_middle - 1;
    else
      v_low := v_middle;
    end if;
  end loop;
  return v_low;
end $$;

-- The last position of an operator's feed that was recorded before a moment, or 0. Times rise with
-- positions, because record_facts reads the clock under the counter's lock. So this is a binary
-- search of about thirty look-ups and needs no index on time. A missing row is skipped.
create or replace function feed_position_at(p_operator_id text, p_at timestamptz)
returns bigint language plpgsql stable parallel safe
-- Each step is one look-up in the order of the primary key.
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  v_low bigint := 0;
  v_high bigint;
  v_middle bigint;
  v_seen record;
begin
  select counter.feed_position into v_high from operator_counters counter
    where counter.operator_id = p_operator_id;
  if v_high is null or p_at = '-infinity' then
    return 0;
  end if;
  if p_at = 'infinity' then
    return v_high;
  end if;
  -- everything up to low is before p_at, everything after high is not
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2 + 1;
    select item.position, item.occurred_at into v_seen from feed_items item
    where item.operator_id = p_operator_id and item.position >= v_middle
      order by item.position limit 1;
    if v_seen.position is null or v_seen.position > v_high or v_seen.occurred_at >= p_at then
      v_high := v_middle - 1;
    else
      v_low := v_seen.position;
    end if;
  end loop;
  return v_low;
end $$;

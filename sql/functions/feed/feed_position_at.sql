-- The last position of an operator's feed that was recorded before a moment; 0 where there is none. Times rise with
-- positions (record_facts reads the clock under the counter), so this is a binary search of some thirty look-ups and needs
-- no index on time. A missing row is stepped over.
create or replace function feed_position_at(p_operator_id text, p_at timestamptz) returns bigint language plpgsql stable parallel safe
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  low bigint := 0;
  high bigint;
  middle bigint;
  seen record;
begin
  select c.feed_position into high from operator_counters c where c.operator_id = p_operator_id;
  if high is null or p_at = '-infinity' then
    return 0;
  end if;
  if p_at = 'infinity' then
    return high;
  end if;
  -- everything up to low is before p_at, everything after high is not
  while low < high loop
    middle := low + (high - low) / 2 + 1;
    select f.position, f.occurred_at into seen from feed_items f
    where f.operator_id = p_operator_id and f.position >= middle order by f.position limit 1;
    if seen.position is null or seen.position > high or seen.occurred_at >= p_at then
      high := middle - 1;
    else
      low := seen.position;
    end if;
  end loop;
  return low;
end $$;

-- Why no worker has sent to a venue for more than 15 seconds, and since when; null while one of
-- them may send, or where none has told in the last 30 seconds.
create or replace function venue_held_back(p_venue text, out because text, out since timestamptz)
language sql stable as $$
  select min(worker.held_because), min(worker.held_since)
  from venue_requests worker
  where worker.venue = p_venue and worker.seen_at > clock_timestamp() - interval '30 seconds'
  having count(*) filter (where worker.held_because is null) = 0
$$;

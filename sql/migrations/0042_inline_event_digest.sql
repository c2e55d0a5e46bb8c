-- The digest of an event's key without "strict": the planner cannot put a strict function that
-- contains coalesce into the index that uses it, so each insert of an event started an executor for
-- it. A key is never null, and the result is the same, so the index stays as it is.
create or replace function event_digest(p_dedupe_key text) returns uuid
language sql immutable parallel safe as $$
  select (left(coalesce(substring(p_dedupe_key from ':[a-z]+_([0-9a-f]{12})'), md5(p_dedupe_key)), 12)
    || right(md5(p_dedupe_key), 20))::uuid
$$;

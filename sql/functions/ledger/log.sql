-- Writes the transparency log of an operator's feed: its tiles, its checkpoint and the chain of
-- its keys. The caller computes and signs everything.

-- Appends to an operator's transparency log: the tiles that changed and the checkpoint over the new
-- size. If another worker has appended since p_from was read, or the chain of keys has another
-- length than p_keys, it writes nothing and returns false. The row of the log's head is the lock.
create or replace function append_feed_log(p_operator_id text, p_from bigint, p_size bigint,
  p_root bytea, p_note text, p_verifier_key text, p_keys integer,
  p_levels smallint[], p_tiles bigint[], p_hashes bytea[]) returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform 1 from feed_log_heads head where head.operator_id = p_operator_id for update;
  if p_keys <> (select count(*) from feed_log_keys known where known.operator_id = p_operator_id)
  then
    return false;
  end if;
  insert into feed_log_heads as head (operator_id, size, root, note, verifier_key)
  values (p_operator_id, p_size, p_root, p_note, p_verifier_key)
  on conflict (operator_id) do update
    set size = excluded.size, root = excluded.root, note = excluded.note,
      verifier_key = excluded.verifier_key, sealed_at = v_now
    where head.size = p_from;
  if not found then
    return false;
  end if;
  insert into feed_log_tiles as stored (operator_id, level, tile, hashes)
  select p_operator_id, given.level, given.tile, given.hashes
  from unnest(p_levels, p_tiles, p_hashes) as given(level, tile, hashes)
  on conflict (operator_id, level, tile) do update set hashes = excluded.hashes;
  return true;
end $$;

-- Adds a link to the chain of the keys of an operator's log. Locks: the head of the log, so that no
-- checkpoint of the key before follows. Returns false, and writes nothing, if the size of the log
-- differs from the signed note, or its chain has another length.
create or replace function change_log_key(p_operator_id text, p_number integer, p_size bigint,
  p_previous_key text, p_verifier_key text, p_compromised boolean, p_note text)
returns boolean language plpgsql as $$
begin
  perform 1 from feed_log_heads head
  where head.operator_id = p_operator_id and head.size = p_size for update;
  if not found or p_number <> 1 + (select count(*) from feed_log_keys known
    where known.operator_id = p_operator_id) then
    return false;
  end if;
  insert into feed_log_keys (operator_id, number, size, previous_key, verifier_key, compromised,
    note)
  values (p_operator_id, p_number, p_size, p_previous_key, p_verifier_key, p_compromised, p_note);
  return true;
end $$;

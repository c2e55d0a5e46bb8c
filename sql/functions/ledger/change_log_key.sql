-- Adds a link to the chain of the keys of an operator's log. Locks: the head of the log, so that no
-- checkpoint of the key before follows. Answers false, and writes nothing, if the log has another
-- size than the signed note says, or its chain another length.
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

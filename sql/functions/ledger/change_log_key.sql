-- Writes the item that changes the key of an operator's log, if it becomes the item of number
-- p_sequence, which its note names. Locks: the operator's ledger. Answers false, and writes
-- nothing, if the feed has grown since the note was signed.
create or replace function change_log_key(p_operator_id text, p_sequence bigint, p_item_id text,
  p_detail json)
returns boolean language plpgsql as $$
begin
  perform 1 from operator_ledgers ledger
  where ledger.operator_id = p_operator_id and ledger.sequence = p_sequence - 1 for no key update;
  if not found then
    return false;
  end if;
  perform append_to_journal(array[json_populate_record(null::journal_entry, json_build_object(
    'ord', 1, 'operator_id', p_operator_id, 'kind', 'log_key_changed', 'items', 1,
    'digits', substr(p_item_id, 5), 'detail', p_detail))]);
  return true;
end $$;

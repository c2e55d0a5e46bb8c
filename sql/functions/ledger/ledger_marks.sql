-- Eight bytes of hash for each entry of a range, by which a broken range says which entry it was.
-- Hashed as in ledger_digest.
create or replace function ledger_marks(p_operator_id text, p_after bigint, p_through bigint)
returns table (place bigint, entry_id text, mark bytea) language sql stable parallel safe
-- By primary key, in whose order entries come.
set enable_seqscan = off set enable_bitmapscan = off as $$
  select entry.position, entry.entry_id::text,
    substring(sha256(record_send(row(entry.position, entry.entry_id::text, entry.movement_type,
    entry.memo, entry.reference_type, entry.reference_id,
      entry.corrects_entry_id::text, entry.recorded_at))
    || coalesce(timestamptz_send(entry.effective_at), '') || coalesce(lines_of.bytes, ''))
    from 1 for 8)
  from (select * from ledger_entries
    where operator_id = p_operator_id and position > p_after and position <= p_through
    order by position) entry
    cross join lateral (
      select string_agg(int8send(entry.position) || int2send(line.line_no) || int8send(line.amount)
        || int8send(line.balance_after) || textsend(line.account_id), '\x00') as bytes
      from entry_lines(entry.account_ids, entry.amounts,
        entry.balances_after) line) lines_of
  order by entry.position
$$;

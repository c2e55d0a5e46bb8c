-- Eight bytes of hash for each entry of a range, by which a broken range says which entry it was.
-- Hashed as in ledger_digest.
create or replace function ledger_marks(p_operator_id text, p_after bigint, p_through bigint)
returns table (place bigint, entry_id text, mark bytea) language sql stable parallel safe
-- By primary key, in whose order entries and lines come: the two ranges are merged without a sort
-- or a hash table.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_sort = off
set enable_nestloop = off set enable_mergejoin = on as $$
  select entry.position, entry.entry_id::text,
    substring(sha256(record_send(row(entry.position, entry.entry_id::text, entry.movement_type,
    entry.memo, entry.reference_type, entry.reference_id,
      entry.corrects_entry_id::text, entry.recorded_at))
    || coalesce(timestamptz_send(entry.effective_at), '') || coalesce(entry_lines.bytes, ''))
    from 1 for 8)
  from (select * from ledger_entries
    where operator_id = p_operator_id and position > p_after and position <= p_through
    order by position) entry
    left join (
      select line.position, string_agg(int8send(line.position) || int2send(line.line_no)
        || int8send(line.amount) || int8send(line.balance_after)
          || textsend(line.account_id), '\x00') as bytes from (
        select * from ledger_lines where operator_id = p_operator_id and position > p_after
          and position <= p_through order by position, line_no) line
      group by line.position) entry_lines on entry_lines.position = entry.position
  order by entry.position
$$;

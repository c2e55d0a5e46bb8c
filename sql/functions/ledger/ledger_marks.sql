-- Eight bytes of hash for each entry of a range, by which a broken range says which entry it was. Hashed as in ledger_digest.
create or replace function ledger_marks(p_operator_id text, p_after bigint, p_through bigint)
returns table (place bigint, entry_id text, mark bytea) language sql stable parallel safe
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_sort = off
set enable_nestloop = off set enable_mergejoin = on as $$
  select e.position, e.entry_id::text, substring(sha256(record_send(row(e.position, e.entry_id::text, e.movement_type, e.memo, e.reference_type, e.reference_id,
      e.corrects_entry_id::text, e.recorded_at))
    || coalesce(l.bytes, '')) from 1 for 8)
  from (select * from ledger_entries where operator_id = p_operator_id and position > p_after and position <= p_through order by position) e
    left join (
      select x.position, string_agg(int8send(x.position) || int2send(x.line_no) || int8send(x.amount) || int8send(x.balance_after)
          || textsend(x.account_id), '\x00') as bytes from (
        select * from ledger_lines where operator_id = p_operator_id and position > p_after and position <= p_through order by position, line_no) x
      group by x.position) l on l.position = e.position
  order by e.position
$$;

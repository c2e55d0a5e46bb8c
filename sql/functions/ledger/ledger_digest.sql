-- The hash of a range of an operator's ledger: every column of its entries and lines, in binary and network order, which is
-- the same on every machine and faster than text. Domains are cast to text, for a row's binary form names the types. Lines
-- are joined by hand, which is faster again (measured: 0.55 us a line, 0.9 as a row); an account holds no zero byte.
create or replace function ledger_digest(p_operator_id text, p_after bigint, p_through bigint) returns bytea language sql stable parallel safe
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
  select sha256(
    coalesce((select string_agg(record_send(row(e.position, e.entry_id::text, e.movement_type, e.memo, e.reference_type, e.reference_id,
        e.corrects_entry_id::text, e.recorded_at)), '') from (
      select * from ledger_entries where operator_id = p_operator_id and position > p_after and position <= p_through order by position) e), '')
    || coalesce((select string_agg(int8send(l.position) || int2send(l.line_no) || int8send(l.amount) || int8send(l.balance_after)
        || textsend(l.account_id), '\x00') from (
      select * from ledger_lines where operator_id = p_operator_id and position > p_after and position <= p_through order by position, line_no) l), ''))
$$;

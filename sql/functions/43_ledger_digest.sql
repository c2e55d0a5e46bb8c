-- The hash of a range of an operator's ledger: every column of its entries and lines, column by column in binary, which is
-- several times faster than text and the same on every machine.
create or replace function ledger_digest(p_operator_id text, p_after bigint, p_through bigint) returns bytea language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  entries bytea;
  lines bytea;
begin
  select array_send(array_agg(e.position)) || array_send(array_agg(e.entry_id::text)) || array_send(array_agg(e.movement_type))
      || array_send(array_agg(e.memo)) || array_send(array_agg(e.reference_type)) || array_send(array_agg(e.reference_id))
      || array_send(array_agg(e.corrects_entry_id::text)) || array_send(array_agg(e.recorded_at))
  into entries
  from (select * from ledger_entries where operator_id = p_operator_id and position > p_after and position <= p_through order by position) e;
  select array_send(array_agg(l.position)) || array_send(array_agg(l.line_no)) || array_send(array_agg(l.account_id))
      || array_send(array_agg(l.amount)) || array_send(array_agg(l.balance_after))
  into lines
  from (select * from ledger_lines where operator_id = p_operator_id and position > p_after and position <= p_through
        order by position, line_no) l;
  return sha256(coalesce(entries, '') || coalesce(lines, ''));
end $$;

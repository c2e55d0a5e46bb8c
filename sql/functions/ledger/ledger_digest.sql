-- The hash of a range of an operator's ledger: every column of its entries and lines in binary
-- network order, which is the same on every machine and faster than text. Domains are cast to text,
-- because the binary form of a row contains the ids of its types. The columns of a line are joined
-- one by one, which is faster than a row (measured: 0.55 us a line against 0.9 us); an account name
-- contains no zero byte. An effective date is hashed if the entry has one.
create or replace function ledger_digest(p_operator_id text, p_after bigint, p_through bigint)
returns bytea language plpgsql stable parallel safe
-- By primary key, in whose order the rows come: a range is read once.
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  v_entries bytea;
  v_lines bytea;
begin
  select string_agg(record_send(
      row(entry.position, entry.entry_id::text, entry.movement_type, entry.memo,
      entry.reference_type, entry.reference_id,
        entry.corrects_entry_id::text, entry.recorded_at))
      || coalesce(timestamptz_send(entry.effective_at), ''), '') into v_entries
  from (select * from ledger_entries where operator_id = p_operator_id and position > p_after
    and position <= p_through order by position) entry;
  select string_agg(int8send(line.position) || int2send(line.line_no)
    || int8send(line.amount) || int8send(line.balance_after)
      || textsend(line.account_id), '\x00') into v_lines
  from (select position, generate_subscripts(amounts, 1)::smallint as line_no,
      unnest(amounts) as amount, unnest(balances_after) as balance_after,
      unnest(account_ids) as account_id
    from ledger_entries where operator_id = p_operator_id and position > p_after
      and position <= p_through order by position) line;
  return sha256(coalesce(v_entries, '') || coalesce(v_lines, ''));
end $$;

-- Eight bytes of hash for each entry of a range, by which a broken range says which entry it was.
create or replace function ledger_marks(p_operator_id text, p_after bigint, p_through bigint)
returns table (place bigint, entry_id text, mark bytea) language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select e.position, e.entry_id::text, substring(sha256(array_send(
      array[e.position::text, e.entry_id::text, e.movement_type, e.memo, e.reference_type, e.reference_id, e.corrects_entry_id::text,
        extract(epoch from e.recorded_at)::text]
      || (select array_agg(t.value order by l.line_no, t.n) from ledger_lines l
            cross join lateral unnest(array[l.line_no::text, l.account_id, l.amount::text, l.balance_after::text]) with ordinality t(value, n)
          where l.operator_id = e.operator_id and l.position = e.position))) from 1 for 8)
  from ledger_entries e
  where e.operator_id = p_operator_id and e.position > p_after and e.position <= p_through
  order by e.position
$$;

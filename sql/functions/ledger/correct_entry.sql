-- Corrects a ledger entry by a new one that names it: its lines turned round, or the lines given. The customers whose
-- wallets it touches are locked as an order locks them, then record_facts takes the counter. Answers `not_found`, or
-- `corrected` with the entry that corrected it before, or `posted`.
create or replace function correct_entry(p_operator_id text, p_entry_id text, p_correction_id text, p_memo text, p_lines json)
returns table (outcome text, entry_id text) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  earlier text;
  posted json;
begin
  select coalesce(p_lines, (
      select json_agg(json_build_array(l.account_id, -l.amount) order by l.line_no) from ledger_lines l
      where l.operator_id = e.operator_id and l.position = e.position))
  into posted
  from ledger_entries e where e.operator_id = p_operator_id and e.entry_id = p_entry_id;
  if posted is null then
    return query select 'not_found', p_entry_id;
    return;
  end if;
  perform 1 from customers k
  where k.operator_id = p_operator_id and k.external_user_id in (
    select substring(l.value ->> 0 from position(':' in l.value ->> 0) + 1) from json_array_elements(posted) l
    where l.value ->> 0 like 'wallet:%' or l.value ->> 0 like 'hold:%')
  order by k.external_user_id for no key update;
  -- the counter guards the look for an earlier correction
  perform 1 from operator_counters c where c.operator_id = p_operator_id for update;
  select e.entry_id into earlier from ledger_entries e where e.operator_id = p_operator_id and e.corrects_entry_id = p_entry_id limit 1;
  if earlier is not null then
    return query select 'corrected', earlier;
    return;
  end if;
  perform record_facts(array[row(1, p_operator_id, 'ledger.posted', p_correction_id, null, null, null,
    json_build_object('currency', 'USD',
      'amount', minor_text((select sum(greatest((l.value ->> 1)::bigint, 0)) from json_array_elements(posted) l)),
      'lines', (select json_agg(json_build_object('accountId', l.value ->> 0, 'debit', minor_text(greatest((l.value ->> 1)::bigint, 0)),
        'credit', minor_text(greatest(-(l.value ->> 1)::bigint, 0))) order by l.ordinality) from json_array_elements(posted) with ordinality l)),
    json_build_object('movementType', 'CORRECTION', 'memo', p_memo, 'referenceType', 'entry', 'referenceId', p_entry_id,
      'correctsEntryId', p_entry_id),
    posted, null)::fact]);
  return query select 'posted', p_correction_id;
end $$;

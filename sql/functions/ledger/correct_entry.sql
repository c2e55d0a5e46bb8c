-- Corrects a ledger entry by a new entry that names it: with its lines reversed, or with the lines
-- given. Locks: the customers whose wallets the lines touch, as an order does, then the operator's
-- counter, which also guards the search for an earlier correction. Answers `not_found`, `corrected`
-- with the entry that corrected it before, `period_closed` for an effective date in a closed period
-- or in the future, or `posted`.
create or replace function correct_entry(p_operator_id text, p_entry_id text, p_correction_id text,
  p_memo text, p_lines json,
  p_effective_at timestamptz default null)
returns table (outcome text, entry_id text) language plpgsql
-- By index only: a plan that was made on small tables must not scan them when they have grown.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_earlier text;
  v_posted json;
  v_counter operator_counters;
begin
  select coalesce(p_lines, (
      select json_agg(json_build_array(line.account_id, -line.amount) order by line.line_no)
      from entry_lines(entry.operator_id, entry.position, entry.account_ids, entry.amounts,
        entry.balances_after) line))
  into v_posted
  from ledger_entries entry where entry.operator_id = p_operator_id and entry.entry_id = p_entry_id;
  if v_posted is null then
    return query select 'not_found', p_entry_id;
    return;
  end if;
  perform 1 from customers customer
  where customer.operator_id = p_operator_id and customer.external_user_id in (
    select substring(line.value ->> 0 from position(':' in line.value ->> 0) + 1)
      from json_array_elements(v_posted) line
    where line.value ->> 0 like 'wallet:%' or line.value ->> 0 like 'hold:%')
  order by customer.external_user_id for no key update;
  -- the counter guards the look for an earlier correction
  select * into v_counter from operator_counters counter
  where counter.operator_id = p_operator_id for update;
  select entry.entry_id into v_earlier from ledger_entries entry
    where entry.operator_id = p_operator_id and entry.corrects_entry_id = p_entry_id limit 1;
  if v_earlier is not null then
    return query select 'corrected', v_earlier;
    return;
  end if;
  if not may_take_effect(v_counter, p_effective_at) then
    return query select 'period_closed', p_entry_id;
    return;
  end if;
  perform record_facts(array[one_fact(1, p_operator_id, 'ledger.posted', p_correction_id, null,
    null, null, null,
    dated_detail(json_build_object('movementType', 'CORRECTION', 'memo', p_memo,
      'referenceType', 'entry', 'referenceId', p_entry_id, 'correctsEntryId', p_entry_id),
      p_effective_at),
    v_posted, null)]);
  return query select 'posted', p_correction_id;
end $$;

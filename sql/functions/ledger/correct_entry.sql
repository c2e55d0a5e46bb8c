-- Corrects a ledger entry by a new entry that names it: with its lines reversed, or with the lines
-- given. Locks: the customers whose wallets the lines touch, as an order does, then the operator's
-- counter, which also guards the search for an earlier correction. Answers `not_found`, `corrected`
-- with the entry that corrected it before, `period_closed` for an effective date in a closed period
-- or in the future, `insufficient_funds` or `insufficient_collateral` if the money that it takes
-- back from a wallet or the collateral is spent, or `posted`.
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
  v_short text;
  v_facts feed_fact[];
  v_deposited bigint;
  v_kind text;
begin
  select coalesce(p_lines, (
      select json_agg(json_build_array(line.account_id, -line.amount) order by line.line_no)
      from entry_lines(entry.account_ids, entry.amounts,
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
  -- balances change under the counter alone; what customers and operators own is never above zero
  select case when line.account_id like 'collateral:%' then 'insufficient_collateral'
    else 'insufficient_funds' end
  into v_short
  from (select posted.value ->> 0 as account_id, sum((posted.value ->> 1)::bigint) as amount
      from json_array_elements(v_posted) posted group by 1) line
    left join account_balances account on account.operator_id = p_operator_id
      and account.account_id = line.account_id
  where line.amount > 0
    and (line.account_id like 'wallet:%' or line.account_id like 'hold:%'
      or line.account_id like 'collateral:%')
    and coalesce(account.balance, 0) + line.amount > 0
  limit 1;
  if v_short is not null then
    return query select v_short, p_entry_id;
    return;
  end if;
  v_facts := array[one_fact(1, p_operator_id, 'ledger.posted', p_correction_id, null, null, null,
    null,
    dated_detail(json_build_object('movementType', 'CORRECTION', 'memo', p_memo,
      'referenceType', 'entry', 'referenceId', p_entry_id, 'correctsEntryId', p_entry_id),
      p_effective_at),
    v_posted, null)];
  -- what a correction changes of the deposits is a movement of collateral like any other
  select coalesce(sum((posted.value ->> 1)::bigint), 0) into v_deposited
  from json_array_elements(v_posted) posted where posted.value ->> 0 = 'deposits';
  if v_deposited = 0 then
    perform record_facts(v_facts);
    return query select 'posted', p_correction_id;
    return;
  end if;
  v_kind := case when v_deposited > 0 then 'deposit' else 'withdrawal' end;
  v_facts := v_facts || one_fact(2, p_operator_id, 'collateral.moved',
    'mov_' || replace(uuidv7_text(), '-', ''), null, null, null,
    json_build_object('currency', 'USD', 'amount', minor_text(abs(v_deposited))),
    json_build_object('kind', v_kind, 'memo', p_memo, 'ledgerEntryId', p_correction_id), null,
    null);
  insert into collateral_movements (operator_id, reference, kind, amount_minor, sequence,
    recorded_at, available_minor, committed_minor)
  select p_operator_id, p_correction_id, v_kind, abs(v_deposited), recorded.feed_position,
    recorded.recorded_at, v_deposited - coalesce(available.balance, 0),
    -coalesce(committed.balance, 0)
  from (select 1) one
    left join account_balances available on available.operator_id = p_operator_id
      and available.account_id = 'collateral:available'
    left join account_balances committed on committed.operator_id = p_operator_id
      and committed.account_id = 'collateral:committed'
    cross join lateral record_facts(v_facts) recorded where recorded.ord = 2;
  return query select 'posted', p_correction_id;
end $$;

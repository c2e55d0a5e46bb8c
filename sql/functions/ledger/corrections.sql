-- Corrections of ledger entries.

-- Corrects a ledger entry by a new entry that names it, with its lines reversed. Locks: the
-- customer whose wallet the entry moved, as an order does, then the operator's ledger, which also
-- guards the search for an earlier correction. Answers `not_found`, `corrected` with the entry that
-- corrected it before, `period_closed` for an effective date in a closed period or in the future,
-- `insufficient_funds` or `insufficient_collateral` if the money that it takes back from a wallet
-- or the collateral is spent, or `posted`.
create or replace function correct_entry(p_operator_id text, p_entry_id text, p_correction_id text,
  p_memo text, p_effective_at timestamptz default null)
returns table (outcome text, entry_id text) language plpgsql
-- By index only: a plan that was made on small tables must not scan them when they have grown.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_row journal;
  v_earlier text;
  v_ledger operator_ledgers;
  v_entry journal_row;
  v_short text;
  v_kind text;
begin
  select * into v_row from journal_entry_row(p_operator_id, p_entry_id);
  if v_row.sequence is null then
    return query select 'not_found', p_entry_id;
    return;
  end if;
  perform 1 from customers customer
  where v_row.funds = 'wallet' and customer.operator_id = p_operator_id
    and customer.external_user_id = v_row.external_user_id
  order by customer.external_user_id for no key update;
  -- its lock guards the look for an earlier correction
  select * into v_ledger from operator_ledgers ledger
  where ledger.operator_id = p_operator_id for no key update;
  select 'ent_' || replace(row.digits::text, '-', '') into v_earlier from journal row
  where row.operator_id = p_operator_id and row.corrects_entry_id = p_entry_id limit 1;
  if v_earlier is not null then
    return query select 'corrected', v_earlier;
    return;
  end if;
  if not may_take_effect(v_ledger, p_effective_at) then
    return query select 'period_closed', p_entry_id;
    return;
  end if;
  -- balances change under this lock alone; what customers and operators own is never above zero
  select case v_row.funds when 'collateral' then 'insufficient_collateral'
    else 'insufficient_funds' end into v_short
  from (
    select wallet.available, wallet.held from wallets wallet where v_row.funds = 'wallet'
      and wallet.operator_id = p_operator_id and wallet.external_user_id = v_row.external_user_id
    union all
    select ledger.collateral_available, ledger.collateral_committed from operator_ledgers ledger
    where v_row.funds = 'collateral' and ledger.operator_id = p_operator_id) owned
  where greatest(owned.available - least(v_row.available, 0),
    owned.held - least(v_row.held, 0)) > 0;
  if v_short is not null then
    return query select v_short, p_entry_id;
    return;
  end if;
  v_entry.operator_id := p_operator_id;
  v_entry.kind := 'entry_corrected';
  v_entry.digits := substr(p_correction_id, 5);
  v_entry.corrects_entry_id := p_entry_id;
  v_entry.corrects_kind := coalesce(v_row.corrects_kind, v_row.kind);
  v_entry.action := v_row.action;
  v_entry.external_user_id := v_row.external_user_id;
  v_entry.memo := p_memo;
  v_entry.effective_at := p_effective_at;
  v_entry.funds := v_row.funds;
  v_entry.available := -v_row.available;
  v_entry.held := -v_row.held;
  v_entry.stakes := -v_row.stakes;
  v_entry.result := -v_row.result;
  v_entry.platform_fees := -v_row.platform_fees;
  v_entry.venue_fees := -v_row.venue_fees;
  v_entry.other_account := v_row.other_account;
  v_entry.other := -v_row.other;
  -- what a correction changes of the deposits is a movement of collateral like any other
  v_entry.items := 1 + coalesce((v_entry.other_account = 'deposits' and v_entry.other <> 0
    and v_entry.funds = 'collateral')::integer, 0);
  if v_entry.items = 1 then
    perform append_to_journal(p_operator_id, array[v_entry]);
    return query select 'posted', p_correction_id;
    return;
  end if;
  v_kind := case when v_entry.other > 0 then 'deposit' else 'withdrawal' end;
  insert into collateral_movements (operator_id, reference, kind, amount_minor, sequence,
    recorded_at, available_minor, committed_minor)
  select p_operator_id, p_correction_id, v_kind, abs(v_entry.other), recorded.sequence + 1,
    recorded.recorded_at, -v_ledger.collateral_available - v_entry.available,
    -v_ledger.collateral_committed
  from append_to_journal(p_operator_id, array[v_entry]) recorded;
  return query select 'posted', p_correction_id;
end $$;

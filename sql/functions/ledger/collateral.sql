-- Moves an operator's collateral for the service operator, once per reference.

-- Deposits or withdraws collateral of an operator, or moves it to a total (`to_total`: available
-- and committed together; `up_to_total` only deposits). All of it happens under the lock of the
-- operator's ledger: the reference is looked up, the balance read and the movement recorded.
-- Outcomes: `moved`; `repeated`, with the movement that this reference recorded before;
-- `unchanged`, if the total was right already; and the refusals `reference_used` (for another kind
-- or amount), `period_closed` (p_effective_at is in a closed period or in the future),
-- `insufficient_collateral`, `would_withdraw` and `not_compared` (the books lost commits, and the
-- account at a venue was not compared since: what is available may be committed), which record
-- nothing.
create or replace function move_collateral(p_operator_id text, p_kind text, p_amount_minor bigint,
  p_reference text, p_effective_at timestamptz)
returns table (outcome text, reference text, kind text, amount_minor bigint, sequence bigint,
  recorded_at timestamptz,
  available_minor bigint, committed_minor bigint) language plpgsql
-- One plan for all calls, because planning costs more than running it, and look-ups by key only:
-- see place_orders.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_earlier collateral_movements;
  v_available bigint;
  v_committed bigint;
  -- cents, above zero into the collateral
  v_change bigint;
  v_word text;
  v_digits text := replace(uuidv7_text(), '-', '');
  v_item_id text := 'mov_' || v_digits;
  v_ledger operator_ledgers;
begin
  select * into v_ledger from operator_ledgers ledger
  where ledger.operator_id = p_operator_id for no key update;
  select * into v_earlier from collateral_movements movement
    where movement.operator_id = p_operator_id and movement.reference = p_reference;
  if v_earlier.reference is not null and (v_earlier.kind, v_earlier.amount_minor)
    is not distinct from (p_kind, p_amount_minor) then
    return query select 'repeated', v_earlier.reference, v_earlier.kind, v_earlier.amount_minor,
      v_earlier.sequence, v_earlier.recorded_at,
      v_earlier.available_minor, v_earlier.committed_minor;
    return;
  end if;
  if v_earlier.reference is null and not may_take_effect(v_ledger, p_effective_at) then
    return query select 'period_closed', p_reference, p_kind, p_amount_minor, null::bigint,
      null::timestamptz, null::bigint, null::bigint;
    return;
  end if;
  v_available := -v_ledger.collateral_available;
  v_committed := -v_ledger.collateral_committed;
  v_change := case p_kind when 'deposit' then p_amount_minor when 'withdrawal' then -p_amount_minor
    else p_amount_minor - v_available - v_committed end;
  if v_earlier.reference is null and v_change < 0 and exists (
    select from venue_accounts account, books_epochs epoch
    where epoch.epoch = (select books.epoch from books) and account.compared_until < epoch.began_at
      -- no order was on its way to a venue that was not compared for a day
      and account.compared_at > epoch.began_at - interval '1 day') then
    return query select 'not_compared', p_reference, p_kind, p_amount_minor, null::bigint,
      null::timestamptz, v_available, v_committed;
    return;
  end if;
  v_word := case when v_change > 0 then 'deposit' else 'withdrawal' end;
  if v_earlier.reference is not null or v_change = 0 or v_available + v_change < 0
    or (p_kind = 'up_to_total' and v_change < 0) then
    return query select case when v_earlier.reference is not null then 'reference_used'
      when v_change = 0 then 'unchanged'
      when p_kind = 'up_to_total' then 'would_withdraw'
      else 'insufficient_collateral' end, p_reference, p_kind, p_amount_minor, null::bigint,
        null::timestamptz, v_available, v_committed;
    return;
  end if;
  return query
  insert into collateral_movements as movement (operator_id, reference, kind, amount_minor,
    sequence, recorded_at, available_minor, committed_minor)
  select p_operator_id, coalesce(p_reference, v_item_id), v_word, abs(v_change),
    -- the entry comes first, then the movement
    recorded.sequence + 1, recorded.recorded_at, v_available + v_change, v_committed
  from append_to_journal(p_operator_id, array[json_populate_record(null::journal_row,
    json_build_object('operator_id', p_operator_id, 'kind', 'collateral_moved', 'items', 2,
    'digits', v_digits, 'funds', 'collateral', 'available', -v_change, 'other_account', 'deposits',
    'other', v_change, 'effective_at', p_effective_at,
    'reference', coalesce(p_reference, v_item_id)))]) recorded
  returning 'moved', movement.reference, movement.kind, movement.amount_minor, movement.sequence,
    movement.recorded_at, movement.available_minor, movement.committed_minor;
end $$;

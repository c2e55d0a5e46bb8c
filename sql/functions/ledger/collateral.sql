-- Moves an operator's collateral for the service operator, once per reference.

-- Records a deposit or a withdrawal, which p_entry has as a row of the journal with its reference.
-- All of it happens under the lock of the operator's ledger. Outcomes: `moved`; `repeated`, with
-- the movement of the same amount that this reference recorded before; and the refusals, which
-- record nothing: `reference_used` (for another amount), `period_closed` (the date is in a closed
-- period or in the future), `not_compared` (the books lost commits, and the account at a venue was
-- not compared since, so the available amount may be committed), `total_changed` (the movement was
-- decided on p_total, available and committed together) and `insufficient_collateral`.
create or replace function move_collateral(p_operator_id text, p_total bigint, p_entry journal_row)
returns table (outcome text, recorded_at timestamptz, available_minor bigint,
  committed_minor bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_earlier journal;
  v_available bigint;
  v_committed bigint;
  v_ledger operator_ledgers;
  v_refusal text;
begin
  select * into v_ledger from operator_ledgers ledger
  where ledger.operator_id = p_operator_id for no key update;
  -- the entry comes first, then the movement
  select row.* into v_earlier from collateral_references used join journal row
    on row.operator_id = used.operator_id and row.sequence = used.sequence - 1
  where used.operator_id = p_operator_id and used.reference = p_entry.reference;
  if v_earlier.other = p_entry.other then
    return query select 'repeated', v_earlier.recorded_at, -v_earlier.available_after,
      -v_earlier.held_after;
    return;
  end if;
  v_available := -v_ledger.collateral_available;
  v_committed := -v_ledger.collateral_committed;
  v_refusal := case
    when v_earlier.other is not null then 'reference_used'
    when not may_take_effect(v_ledger, p_entry.effective_at) then 'period_closed'
    when p_entry.other < 0 and exists (
      select from venue_accounts account, books_epochs epoch
      where epoch.epoch = (select books.epoch from books)
        and account.compared_until < epoch.began_at
        -- no order was on its way to a venue that was not compared for a day
        and account.compared_at > epoch.began_at - interval '1 day') then 'not_compared'
    when p_total <> v_available + v_committed then 'total_changed'
    when v_available + p_entry.other < 0 then 'insufficient_collateral' end;
  if v_refusal is not null then
    return query select v_refusal, null::timestamptz, v_available, v_committed;
    return;
  end if;
  return query
  with recorded as (
    select * from append_to_journal(p_operator_id, array[p_entry])
  ), referred as (
    insert into collateral_references (operator_id, reference, sequence)
    select p_operator_id, p_entry.reference, recorded.sequence + 1 from recorded
  )
  select 'moved', recorded.recorded_at, v_available + p_entry.other, v_committed from recorded;
end $$;

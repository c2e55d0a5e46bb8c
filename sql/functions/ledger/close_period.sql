-- Closes the operator's next accounting period, from the end of the last one until p_until. The
-- operator's ledger is locked first: a row that is being recorded is either in the journal before
-- the period closes, or is recorded at p_until or later. Outcomes: `closed`; `repeated`, with the
-- period that already ends there; and the refusals `in_future` and `not_after`, with the last
-- closed period.
create or replace function close_period(p_operator_id text, p_until timestamptz, p_closed_by text)
returns table (outcome text, number integer) language plpgsql as $$
#variable_conflict use_column
declare
  v_ledger operator_ledgers;
  v_last accounting_periods;
  v_now timestamptz;
begin
  select * into v_ledger from operator_ledgers ledger
  where ledger.operator_id = p_operator_id for no key update;
  v_now := greatest(clock_timestamp(), v_ledger.recorded_at);
  select * into v_last from accounting_periods period
  where period.operator_id = p_operator_id order by period.number desc limit 1;
  if p_until = v_last.ends_at then
    return query select 'repeated', v_last.number;
    return;
  end if;
  if p_until > v_now or p_until <= coalesce(v_last.ends_at, to_timestamp(0)) then
    return query select case when p_until > v_now then 'in_future' else 'not_after' end,
      v_last.number;
    return;
  end if;
  update operator_ledgers ledger set closed_until = p_until,
    recorded_at = greatest(ledger.recorded_at, p_until)
  where ledger.operator_id = p_operator_id;
  return query
  insert into accounting_periods as period (operator_id, number, starts_at, ends_at,
    through_position, closed_by, closed_at)
  values (p_operator_id, coalesce(v_last.number, 0) + 1, coalesce(v_last.ends_at, to_timestamp(0)),
    p_until, v_ledger.sequence, p_closed_by, v_now)
  returning 'closed', period.number;
end $$;

-- What a ledger entry of this kind of row is called, as src/ledger/render/entry.ts names it.
create or replace function movement_type(p_kind journal_kind, p_action order_action, p_other bigint)
returns text language sql immutable parallel safe as $$
  select case p_kind when 'order_recorded' then 'ORDER_HOLD' when 'reserve_confirmed'
      then 'ORDER_HOLD' when 'order_withdrawn' then 'ORDER_RELEASE'
    when 'authorization_released' then 'ORDER_RELEASE' when 'overrun_posted' then 'VENUE_OVERRUN'
    when 'position_settled' then 'POSITION_SETTLEMENT' when 'wallet_funded' then 'SANDBOX_CREDIT'
    when 'collateral_moved' then case when p_other > 0 then 'COLLATERAL_DEPOSIT'
      else 'COLLATERAL_WITHDRAWAL' end
    when 'entry_corrected' then 'CORRECTION'
    else case when p_action = 'sell' then 'POSITION_EXIT' else 'ORDER_FILL' end end
$$;

-- The lines of the double entry of an operator's rows that begin after a position, up to another,
-- for sums over accounts; test/golden compares them with those of src/ledger/render. PostgreSQL
-- inlines it, so that conditions on its columns reach the table.
create or replace function journal_lines(p_operator_id text, p_after bigint, p_through bigint)
returns table (sequence bigint, recorded_at timestamptz, effective_at timestamptz,
  movement_type text, account_id text, amount bigint) language sql stable parallel safe as $$
  select line.sequence, line.recorded_at, line.effective_at,
    movement_type(line.kind, line.action, line.other), line.account_id, line.amount
  from ledger_lines line
  where line.operator_id = p_operator_id and line.sequence > p_after
    and line.sequence <= p_through
$$;

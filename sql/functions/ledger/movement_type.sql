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

-- The rows of settlements: what leaves stakes, what an annulled market gives back of the fees, what
-- is credited, and the market's result between them. p_by_market says that the resolution is the
-- market's, whose version the row keeps.
create or replace function payout_entries(p_operator_id text, p_payouts payout[],
  p_resolution text, p_yes_worth bigint, p_by_market boolean)
returns journal_row[] language plpgsql volatile as $$
declare
  v_paid payout;
  v_entry journal_row;
  v_entries journal_row[] := '{}';
begin
  foreach v_paid in array p_payouts loop
    v_entry := null;
    v_entry.operator_id := p_operator_id;
    v_entry.kind := 'position_settled';
    v_entry.digits := substr(v_paid.settlement_id, 5);
    v_entry.external_user_id := v_paid.external_user_id;
    v_entry.position_id := v_paid.position_id;
    v_entry.contract_id := v_paid.contract_id;
    v_entry.side := v_paid.side;
    v_entry.simulated := v_paid.simulated;
    v_entry.quantity := v_paid.quantity;
    v_entry.fee_share_minor := v_paid.fees_minor;
    v_entry.resolution := p_resolution;
    v_entry.yes_worth_micros := p_yes_worth;
    if p_by_market then
      select contract.resolution_version into v_entry.resolution_version from contracts contract
      where contract.contract_id = v_paid.contract_id;
    end if;
    v_entry.outcome := v_paid.outcome;
    v_entry.lifetime_pnl_minor := v_paid.lifetime_minor;
    v_entry.funds := v_paid.funds;
    v_entry.stakes := v_paid.cost_minor - v_paid.fees_minor;
    v_entry.available := -v_paid.credit_minor;
    v_entry.other_account := 'fees:returned';
    v_entry.other := case when p_resolution = 'VOID' then v_paid.fees_minor else 0 end;
    v_entry.result := v_paid.credit_minor - v_entry.stakes - v_entry.other;
    -- the settlement and its event, an entry if money moved, and collateral if some returns
    v_entry.items := 2 + (v_entry.stakes <> 0 or v_entry.available <> 0 or v_entry.other <> 0
      or v_entry.result <> 0)::integer
      + (v_paid.funds = 'collateral' and v_paid.credit_minor > 0)::integer;
    v_entries := v_entries || v_entry;
  end loop;
  return v_entries;
end $$;

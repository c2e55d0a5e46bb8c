-- Pays positions of one operator at one resolution. Each open position is settled once, however
-- often this is called: a position that is settled or closed, or that has contracts in a sell that
-- may be at a venue, is skipped. p_by_market says that the resolution is the market's, whose
-- version the settlement keeps. The caller has locked the customers; the operator's ledger follows
-- in append_to_journal. Returns the settled positions.
create or replace function pay_positions(p_operator_id text, p_position_ids text[],
  p_resolution text, p_yes_worth bigint, p_by_market boolean)
returns table (position_id text, settlement_id text) language plpgsql
-- One plan for all calls, because planning costs more than running it, and look-ups by key only:
-- see place_orders.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_payouts payout[];
  v_entries journal_row[];
  v_sequences bigint[];
  v_times timestamptz[];
  v_sandbox boolean;
  v_paid_at timestamptz := clock_timestamp();
begin
  select mode = 'sandbox' into v_sandbox from operators where operator_id = p_operator_id;

  select array_agg(row(paid.position_id, 'stl_' || replace(uuidv7_text(), '-', ''),
    paid.external_user_id, paid.contract_id, paid.side,
      paid.quantity, paid.cost_basis_minor, paid.entry_fees_minor, paid.credit,
      case when p_resolution in ('VOID', 'SPLIT') then 'void' when paid.side = p_resolution
        then 'won' else 'lost' end,
      paid.realised_pnl_minor + paid.credit - paid.cost_basis_minor, paid.simulated,
      case when v_sandbox then 'wallet' when paid.simulated then 'cash' else 'collateral' end
      )::payout
    order by paid.position_id)
  into v_payouts
  from (
    select position.*,
      payout_credit(position.side, position.quantity, position.cost_basis_minor, p_resolution,
      p_yes_worth) as credit
    from (select distinct unnest(p_position_ids) as id) given cross join lateral (
      select * from positions position
        where position.operator_id = p_operator_id
        and position.position_id = given.id limit 1) position
    where position.status = 'open' and position.held_quantity = 0
      -- a live buy whose venue fee is still being read would change what the position cost
      and (position.simulated or not exists (select 1 from orders order_row
        where order_row.operator_id = p_operator_id
        and order_row.position_id = position.position_id
        and is_reading_fee(order_row.status, order_row.transmission_state)))
  ) paid;
  if v_payouts is null then
    return;
  end if;

  update positions position set status = 'settled', quantity = 0, cost_basis_minor = 0,
    entry_fees_minor = 0, price_weight = 0,
    realised_pnl_minor = paid.lifetime_minor, updated_at = v_paid_at,
      version = position.version + 1
  from unnest(v_payouts) paid where position.operator_id = p_operator_id
    and position.position_id = paid.position_id;

  perform add_exposures(p_operator_id, array_agg(p_operator_id), array_agg(paid.external_user_id),
    array_agg(-paid.cost_minor))
  from unnest(v_payouts) paid where not paid.simulated and paid.cost_minor > 0;
  update position_holdings holding set quantity = 0, held_quantity = 0
  from unnest(v_payouts) paid where not paid.simulated and holding.operator_id = p_operator_id
    and holding.position_id = paid.position_id;

  v_entries := payout_entries(p_operator_id, v_payouts, p_resolution, p_yes_worth, p_by_market);
  -- an event of a settlement is its row's last item; sequences rise in the order of the rows
  select array_agg(recorded.sequence + recorded.items - 2 order by recorded.sequence),
    array_agg(recorded.recorded_at order by recorded.sequence)
  into v_sequences, v_times from append_to_journal(p_operator_id, v_entries) recorded;
  insert into settlements (operator_id, settlement_id, position_id, sequence, external_user_id,
    contract_id, side, resolution,
    yes_worth_micros, resolution_version, outcome, quantity, cost_basis_minor, entry_fees_minor,
      settlement_credit_minor, void_credit_minor,
    realised_pnl_minor, lifetime_realised_pnl_minor, simulated, settled_at)
  select p_operator_id, paid.settlement_id, paid.position_id, v_sequences[paid.ordinality],
    paid.external_user_id, paid.contract_id, paid.side, p_resolution,
    p_yes_worth, case when p_by_market
      then (select contract.resolution_version from contracts contract
      where contract.contract_id = paid.contract_id) end,
    paid.outcome, paid.quantity, paid.cost_minor, paid.fees_minor,
    case when paid.outcome = 'won' then paid.credit_minor else 0 end,
      case when paid.outcome = 'void' then paid.credit_minor else 0 end,
    paid.credit_minor - paid.cost_minor, paid.lifetime_minor, paid.simulated,
    v_times[paid.ordinality]
  from unnest(v_payouts) with ordinality paid;

  return query select paid.position_id, paid.settlement_id from unnest(v_payouts) paid;
end $$;

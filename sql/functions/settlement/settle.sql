-- Settles positions: what a resolution pays, and the rows that record it. settle_positions, the
-- last function, is what settlement calls.

-- Cents that a position is credited at a resolution (contract 16.2): integer divisions
-- that round down. test/settlement/settle.test.ts holds it equal to test/support/payout.ts.
create or replace function payout_credit(p_side text, p_quantity bigint, p_cost_basis bigint,
  p_resolution text, p_yes_worth bigint)
returns bigint language sql immutable parallel safe as $$
  select (case
    when p_resolution = 'VOID' then p_cost_basis
    when p_resolution = 'SPLIT' then div(
      p_quantity::numeric * case p_side when 'YES' then p_yes_worth else 1000000 - p_yes_worth end,
      10000000000)
    when p_side = p_resolution then p_quantity / 10000
    else 0 end)::bigint
$$;

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

-- Whether fills of the order are recorded while a venue fee of them is still being read: what its
-- position cost may change.
create or replace function is_reading_fee(p_status text, p_transmission_state text)
returns boolean language sql immutable parallel safe as $$
  select p_status = 'partially_filled' and p_transmission_state = 'unknown'
$$;

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

-- Settles positions of one operator at the resolutions of their contracts. The resolution is read
-- here, under a lock on the contract that a resolve or reopen waits for, so the payment is always
-- of the result in force when it is written. Positions of contracts without a resolution are
-- skipped. Locks: the customers in order, as an order does, the contracts, the operator's total
-- exposure, and in pay_positions the counter. Returns the settled positions.
create or replace function settle_positions(p_operator_id text, p_position_ids text[])
returns table (position_id text, settlement_id text) language plpgsql
-- One plan for all calls, because planning costs more than running it, and look-ups by key only:
-- see place_orders.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_contract_ids text[];
  v_result record;
begin
  perform hold_in_place(p_operator_id);
  -- one look-up each, here and below: on plans made over few rows a batch walked through all of the
  -- operator's positions
  perform 1 from customers customer
  where customer.operator_id = p_operator_id
    and customer.external_user_id = any (array(
      select position.external_user_id from unnest(p_position_ids) given(id) cross join lateral (
        select position.external_user_id from positions position
          where position.operator_id = p_operator_id
          and position.position_id = given.id limit 1) position))
  order by customer.external_user_id for no key update;
  select array_agg(position.contract_id order by given.n) into v_contract_ids
  from unnest(p_position_ids) with ordinality given(id, n) left join lateral (
    select position.contract_id from positions position
      where position.operator_id = p_operator_id
      and position.position_id = given.id limit 1) position on true;
  perform 1 from contracts contract where contract.contract_id = any (v_contract_ids)
    order by contract.contract_id for share;
  -- before the first payment takes the counter: a second resolution among the positions must not
  -- ask for it afterwards
  perform 1 from exposures exposure where exposure.operator_id = p_operator_id
    and exposure.external_user_id = '' for update;

  for v_result in
    select contract.resolution, contract.split_yes_micros, array_agg(given.id) as ids
    from unnest(p_position_ids, v_contract_ids) given(id, contract_id)
      join contracts contract on contract.contract_id = given.contract_id
    where contract.resolution is not null
    group by contract.resolution, contract.split_yes_micros
  loop
    return query select paid.position_id, paid.settlement_id
      from pay_positions(p_operator_id, v_result.ids, v_result.resolution,
        v_result.split_yes_micros, true) paid;
  end loop;
end $$;

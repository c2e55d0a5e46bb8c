-- Settles positions.

-- Whether fills of the order are recorded while a venue fee of them is still being read, so that
-- the cost of its position may change.
create or replace function is_reading_fee(p_status text, p_transmission_state text)
returns boolean language sql immutable parallel safe as $$
  select p_status = 'partially_filled' and p_transmission_state = 'unknown'
$$;

-- Records the payments of positions of one operator. A payment was decided on a version of its
-- position and, if the market resolved, on one of the resolution; it is checked again against both,
-- and written with its row of the journal, or refused with a code and not written:
-- `position_changed` or `resolution_changed`. So a position is settled once, however often this is
-- called, and always at the result in force. Locks: the customers in order, as an order does, the
-- contracts (a resolve or reopen waits), the operator's total exposure, and the ledger in
-- append_to_journal.
create or replace function settle_positions(p_operator_id text, p_payouts payout[],
  p_journal journal_row[])
returns table (number integer, code text) language plpgsql as $$
#variable_conflict use_column
declare
  v_codes text[];
  v_versions integer[];
  v_settled_at timestamptz;
begin
  perform hold_in_place(p_operator_id);
  perform 1 from customers customer
  where customer.operator_id = p_operator_id and customer.external_user_id = any (array(
    select paid.external_user_id from unnest(p_payouts) paid))
  order by customer.external_user_id for no key update;
  perform 1 from contracts contract where contract.contract_id = any (array(
    select paid.contract_id from unnest(p_payouts) paid where paid.resolution_version is not null))
  order by contract.contract_id for share;
  perform 1 from exposures exposure where exposure.operator_id = p_operator_id
    and exposure.external_user_id = '' for update;
  v_settled_at := clock_timestamp();

  -- in a separate statement, because markets are not on the servers of the operators' rows
  select array_agg(contract.resolution_version order by paid.ordinality) into v_versions
  from unnest(p_payouts) with ordinality paid left join lateral (
    select listed.resolution_version from contracts listed
    where listed.contract_id = paid.contract_id and listed.resolution is not null
    limit 1) contract on true;
  select array_agg(case when position.version is distinct from paid.version then 'position_changed'
      when paid.resolution_version is not null
        and v_versions[paid.ordinality] is distinct from paid.resolution_version
        then 'resolution_changed' end order by paid.ordinality)
  into v_codes
  from unnest(p_payouts) with ordinality paid left join lateral (
    select held.version from positions held
    where held.operator_id = p_operator_id and held.position_id = paid.position_id
      and held.status = 'open' and held.held_quantity_micros = 0 limit 1) position on true;

  update positions position set status = 'settled', quantity_micros = 0, cost_basis_minor = 0,
    entry_fees_minor = 0, price_weight = 0, realised_pnl_minor = paid.lifetime_minor,
    updated_at = v_settled_at, version = position.version + 1
  from unnest(p_payouts) with ordinality paid
  where v_codes[paid.ordinality] is null and position.operator_id = p_operator_id
    and position.position_id = paid.position_id;
  perform add_exposures(p_operator_id, array_agg(p_operator_id), array_agg(paid.external_user_id),
    array_agg(-paid.cost_minor))
  from unnest(p_payouts) with ordinality paid
  where v_codes[paid.ordinality] is null and not paid.simulated and paid.cost_minor > 0;
  update position_holdings holding set quantity_micros = 0, held_quantity_micros = 0
  from unnest(p_payouts) with ordinality paid
  where v_codes[paid.ordinality] is null and not paid.simulated
    and holding.operator_id = p_operator_id and holding.position_id = paid.position_id;
  perform append_to_journal(p_operator_id, p_journal,
    array(select generate_subscripts(p_journal, 1)), v_codes, null, v_settled_at);

  return query select paid.ordinality::integer, v_codes[paid.ordinality]
    from unnest(p_payouts) with ordinality paid order by paid.ordinality;
end $$;

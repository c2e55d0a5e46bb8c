-- The parts that only sandboxes have: test money, resolutions by testers, test deposits and
-- scenarios.

-- Credits test money to simulated wallets, which their operators' customers have: debit
-- sandbox:float, credit the wallet. A deposit is named by its id, the opening credit by none.
create or replace function credit_wallets(p_operator_id text, p_operator_ids text[],
  p_external_user_ids text[], p_amounts bigint[], p_memo text, p_reference text default null)
returns void language plpgsql as $$
declare
  v_entry journal_row;
  v_entries journal_row[] := '{}';
begin
  for v_place in 1..coalesce(cardinality(p_operator_ids), 0) loop
    v_entry.operator_id := p_operator_ids[v_place];
    v_entry.kind := 'wallet_funded';
    v_entry.items := 1;
    v_entry.digits := replace(uuidv7_text(), '-', '');
    v_entry.external_user_id := p_external_user_ids[v_place];
    v_entry.funds := 'wallet';
    v_entry.available := -p_amounts[v_place];
    v_entry.other_account := 'sandbox:float';
    v_entry.other := p_amounts[v_place];
    v_entry.memo := p_memo;
    v_entry.reference := p_reference;
    v_entries := v_entries || v_entry;
  end loop;
  perform append_to_journal(p_operator_id, v_entries);
end $$;

-- A sandbox tester resolves one position: the request and its settlement in one statement; the
-- market does not change. p_payouts has the payment if it can be paid, and it was decided on this
-- version of the position: after `position_changed` it is decided again. An earlier request is
-- looked for first, so that a repeated call gets the first result (contract 32.15). If contracts of
-- the position are in an open sell, the request waits; the same call again, or the periodic job,
-- settles it when the sell has ended. Locks: the customer first, as orders and settlements do.
create or replace function request_resolution(p_operator_id text, p_position_id text,
  p_resolution text, p_version bigint, p_payouts payout[], p_journal journal_row[])
returns table (code text, already_requested boolean, settled boolean, position_status text)
language plpgsql as $$
#variable_conflict use_column
declare
  v_held positions;
  v_earlier text;
begin
  perform 1 from customers customer
  where customer.operator_id = p_operator_id and customer.external_user_id =
    (select position.external_user_id from positions position
      where position.operator_id = p_operator_id and position.position_id = p_position_id)
  for no key update;
  select * into v_held from positions position
    where position.operator_id = p_operator_id and position.position_id = p_position_id;
  select request.resolution into v_earlier from sandbox_resolutions request
    where request.operator_id = p_operator_id and request.position_id = p_position_id;
  if v_earlier <> p_resolution then
    return query select 'resolution_conflict', true, false, v_held.status;
    return;
  end if;
  if v_earlier is null and v_held.status <> 'open' then
    return query select 'position_not_open', false, false, v_held.status;
    return;
  end if;
  if v_held.version <> p_version then
    return query select 'position_changed', false, false, v_held.status;
    return;
  end if;

  if v_earlier is null then
    insert into sandbox_resolutions (operator_id, position_id, resolution) values (p_operator_id,
      p_position_id, p_resolution);
  end if;
  perform settle_positions(p_operator_id, p_payouts, p_journal);
  select * into v_held from positions position
    where position.operator_id = p_operator_id and position.position_id = p_position_id;
  update sandbox_resolutions request set waiting = false
  where request.operator_id = p_operator_id and request.position_id = p_position_id
    and request.waiting and v_held.status <> 'open';

  return query select null::text, v_earlier is not null, v_held.status = 'settled', v_held.status;
end $$;

-- Opens a deposit that the test bridge will watch, and creates the customer on first use. Returns
-- false for a suspended customer and writes nothing for it.
create or replace function open_deposit(p_operator_id text, p_external_user_id text,
  p_deposit_id text, p_symbol text,
  p_chain_id bigint, p_address text, p_expires_at timestamptz)
returns boolean language plpgsql as $$
begin
  perform ensure_customer(p_operator_id, p_external_user_id);
  insert into sandbox_deposits (operator_id, deposit_id, external_user_id, symbol, chain_id,
    address, expires_at)
  select customer.operator_id, p_deposit_id, customer.external_user_id, p_symbol, p_chain_id,
    p_address, p_expires_at
  from customers customer where customer.operator_id = p_operator_id
    and customer.external_user_id = p_external_user_id and customer.status <> 'suspended';
  return found;
end $$;

-- Polls the test bridge about one deposit: at the first poll it has seen the transfer, at the
-- second it credits the simulated wallet (contract 32.7). The deposit's row is the lock, so it is
-- credited once. An address that expired before a transfer was seen does not change.
create or replace function poll_deposit(p_operator_id text, p_deposit_id text, p_amount bigint)
returns setof sandbox_deposits language plpgsql as $$
declare
  v_deposit sandbox_deposits;
  v_now timestamptz := clock_timestamp();
begin
  select * into v_deposit from sandbox_deposits deposit
    where deposit.operator_id = p_operator_id and deposit.deposit_id = p_deposit_id for update;
  if not found then
    return;
  end if;
  if v_deposit.polls = 0 and v_deposit.expires_at > v_now then
    update sandbox_deposits deposit set polls = 1, received_minor = p_amount
    where deposit.operator_id = p_operator_id and deposit.deposit_id = p_deposit_id
      returning * into v_deposit;
  elsif v_deposit.polls = 1 then
    update sandbox_deposits deposit set polls = 2, credited_minor = deposit.received_minor,
      credited_at = v_now
    where deposit.operator_id = p_operator_id and deposit.deposit_id = p_deposit_id
      returning * into v_deposit;
    perform credit_wallets(p_operator_id, array[p_operator_id], array[v_deposit.external_user_id],
      array[v_deposit.credited_minor], 'Test deposit of ' || v_deposit.symbol, p_deposit_id);
  end if;
  return next v_deposit;
end $$;

-- Arms a scenario for an hour. Scenarios of the operator that expired unused are disarmed with it,
-- so that orders, which search the armed ones, find few. A row that an order has locked is skipped.
create or replace function arm_scenario(p_operator_id text, p_scenario_id text, p_fraction numeric,
  p_amount bigint, p_client_order_id text)
returns setof scenarios language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now timestamptz := now();
  v_expired text[];
begin
  perform hold_in_place(p_operator_id);
  v_expired := array(select expired.scenario_id from scenarios expired
    where expired.operator_id = p_operator_id and expired.consumed_by is null
      and expired.disarmed_at is null and expired.expires_at <= v_now
    for update skip locked);
  update scenarios scenario set disarmed_at = v_now
  where scenario.operator_id = p_operator_id and scenario.scenario_id = any (v_expired);
  return query
  insert into scenarios (operator_id, scenario_id, kind, fill_fraction, fill_amount_minor,
    client_order_id, created_at, expires_at)
  values (p_operator_id, p_scenario_id, 'partial_fill', p_fraction, p_amount, p_client_order_id,
    v_now, v_now + interval '1 hour')
  returning *;
end $$;

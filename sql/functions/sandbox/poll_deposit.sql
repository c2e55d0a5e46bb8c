-- Asks the test bridge about one deposit: at the first poll it has seen the transfer, at the second
-- it credits the simulated wallet (contract 32.7). The deposit's row is the lock, so it is credited
-- once. An address that expired before a transfer was seen does not change.
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

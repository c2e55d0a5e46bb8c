-- Asks the test bridge about one deposit: at the first poll it has seen the transfer, at the second it credits the simulated
-- wallet (rulings 5). Polls of one deposit take turns on its row, so it is credited once. An address that expired before
-- anything was seen stays as it is.
create or replace function poll_deposit(p_operator_id text, p_deposit_id text, p_amount bigint)
returns setof sandbox_deposits language plpgsql as $$
declare
  deposit sandbox_deposits;
begin
  select * into deposit from sandbox_deposits d where d.operator_id = p_operator_id and d.deposit_id = p_deposit_id for update;
  if not found then
    return;
  end if;
  if deposit.polls = 0 and deposit.expires_at > clock_timestamp() then
    update sandbox_deposits d set polls = 1, received_minor = p_amount
    where d.operator_id = p_operator_id and d.deposit_id = p_deposit_id returning * into deposit;
  elsif deposit.polls = 1 then
    update sandbox_deposits d set polls = 2, credited_minor = d.received_minor, credited_at = clock_timestamp()
    where d.operator_id = p_operator_id and d.deposit_id = p_deposit_id returning * into deposit;
    perform record_facts(array[credit_wallet_fact(1, p_operator_id, deposit.external_user_id, deposit.credited_minor,
      'Test deposit of ' || deposit.symbol, 'deposit', p_deposit_id)]);
  end if;
  return next deposit;
end $$;

-- The balances of an operator's accounts after a position: the running balance of the last line of
-- each account up to that position. Signed cents, debit positive.
create or replace function balances_at(p_operator_id text, p_position bigint)
returns table (account_id text, balance bigint) language sql stable parallel safe as $$
  select reached.account_id, reached.balance
  from (select account.account_id,
      last_balance(p_operator_id, account.account_id, p_position) as balance
    from account_balances account where account.operator_id = p_operator_id offset 0) reached
  where reached.balance is not null
$$;

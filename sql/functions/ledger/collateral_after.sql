-- A collateral account's balance after an entry: as posted in this statement, or, untouched by it, as it stood before.
create or replace function collateral_after(p_operator_id text, p_account_id text, posted numeric) returns numeric language sql stable as $$
  select coalesce(posted,
    (select balance from account_balances where operator_id = p_operator_id and account_id = p_account_id), 0)::numeric
$$;

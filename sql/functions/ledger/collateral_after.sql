-- The balance of a collateral account after an entry: as this statement posted it, or else as it
-- was before the statement.
create or replace function collateral_after(p_operator_id text, p_account_id text, p_posted numeric)
returns numeric language sql stable as $$
  select coalesce(p_posted,
    (select balance from account_balances
      where operator_id = p_operator_id and account_id = p_account_id), 0)::numeric
$$;

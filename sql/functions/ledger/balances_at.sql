-- The balances of an operator's accounts after a position: the running balance of the last line of
-- each account up to that position. Signed cents, debit positive.
create or replace function balances_at(p_operator_id text, p_position bigint)
returns table (account_id text, balance bigint) language sql stable parallel safe
-- One look-up of the last line for each account: on a guess of few rows the planner would read all
-- lines of the operator.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
  select account.account_id, last_line.balance_after
  from account_balances account cross join lateral (
    select line.balance_after from ledger_lines line
    where line.operator_id = account.operator_id and line.account_id = account.account_id
      and line.position <= p_position
    order by line.position desc, line.line_no desc limit 1) last_line
  where account.operator_id = p_operator_id
$$;

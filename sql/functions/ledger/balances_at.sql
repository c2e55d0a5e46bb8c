-- Balances of an operator's accounts after a position: the running balance of each account's last line up to there.
-- Signed cents, debit positive.
create or replace function balances_at(p_operator_id text, p_position bigint) returns table (account_id text, balance bigint) language sql stable parallel safe
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select b.account_id, l.balance_after
  from account_balances b cross join lateral (
    select x.balance_after from ledger_lines x
    where x.operator_id = b.operator_id and x.account_id = b.account_id and x.position <= p_position
    order by x.position desc, x.line_no desc limit 1) l
  where b.operator_id = p_operator_id
$$;

-- Test money and corrections of each sandbox wallet, by customer. Of the lines only those of credits are looked at, found by
-- a hash of their positions: room for a million of them keeps it in memory.
create or replace function wallet_credits(p_operator_id text) returns table (external_user_id text, amount numeric) language sql stable parallel safe
set work_mem = '96MB' as $$
  select substring(c.account_id from position(':' in c.account_id) + 1), sum(c.amount)
  from (
    select l.account_id, -sum(l.amount) as amount
    from ledger_lines l
    where l.operator_id = p_operator_id and l.position in (
      select e.position from ledger_entries e
      where e.operator_id = p_operator_id and (e.movement_type = 'SANDBOX_CREDIT' or e.corrects_entry_id is not null))
    group by l.account_id) c
  where c.account_id like 'wallet:%' or c.account_id like 'hold:%'
  group by 1
$$;

-- Test money and corrections of each sandbox wallet, by customer: two indexes walked side by side, which a million credits
-- need and a few do not mind.
create or replace function wallet_credits(p_operator_id text) returns table (external_user_id text, amount numeric) language sql stable parallel safe
set enable_hashjoin = off set enable_nestloop = off set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off set work_mem = '64MB' as $$
  select substring(c.account_id from position(':' in c.account_id) + 1), sum(c.amount)
  from (
    select l.account_id, -sum(l.amount) as amount
    from (select position from ledger_entries
          where operator_id = p_operator_id and (movement_type = 'SANDBOX_CREDIT' or corrects_entry_id is not null) order by position) e
      join (select position, account_id, amount from ledger_lines where operator_id = p_operator_id order by position) l on l.position = e.position
    group by l.account_id) c
  where c.account_id like 'wallet:%' or c.account_id like 'hold:%'
  group by 1
$$;

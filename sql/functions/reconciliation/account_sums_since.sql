-- Accounts as the verified ledger and the reports that rest on it sum them: those of customers as
-- one each for what is available and what is held.
create or replace function rolled_account(p_account_id text)
returns text language sql immutable parallel safe as $$
  select case when p_account_id like 'wallet:%' then 'wallet:'
    when p_account_id like 'hold:%' then 'hold:' else p_account_id end
$$;

-- What account_sums returns, made of the sums of an earlier verification and of the lines that were
-- posted since. p_base is 0, or not before the verified position.
create or replace function account_sums_since(p_operator_id text, p_base bigint, p_verified jsonb)
returns table (account_id text, opening numeric, debits numeric, credits numeric, total numeric,
  weighted numeric, lines bigint, firsts bigint, accounts bigint)
language sql stable parallel safe as $$
  with since as materialized (
    select line.account_id, sum(line.amount) filter (where line.position <= p_base) as before_base,
      sum(line.amount) filter (where line.amount > 0 and line.position > p_base) as debits,
      -sum(line.amount) filter (where line.amount < 0 and line.position > p_base) as credits,
      sum(line.amount) as total, sum(line.amount * (line.position % 65521)) as weighted,
      count(*) filter (where line.position > p_base) as lines,
      count(*) filter (where line.line_no = 1) as firsts,
      (array_agg(line.balance_after - line.amount order by line.position, line.line_no))[1] as begun
    from ledger_lines line where line.operator_id = p_operator_id
      and line.position > (p_verified ->> 'position')::bigint
    group by line.account_id
  ), part as (
    select verified.account_id, case when p_base = 0 then 0 else verified.total end as opening,
      case when p_base = 0 then verified.debits else 0 end as debits,
      case when p_base = 0 then verified.credits else 0 end as credits, verified.total,
      verified.weighted, case when p_base = 0 then verified.lines else 0 end as lines,
      verified.firsts, verified.accounts
    from jsonb_to_recordset(p_verified -> 'accounts') as verified(account_id text, debits numeric,
      credits numeric, total numeric, weighted numeric, lines bigint, firsts bigint,
      accounts bigint)
    union all
    select rolled_account(since.account_id), coalesce(since.before_base, 0),
      coalesce(since.debits, 0), coalesce(since.credits, 0), since.total, since.weighted,
      since.lines, since.firsts,
      -- an account that held something is not new; one that held nothing is looked up
      case when since.begun <> 0 or exists (select 1 from account_positions(p_operator_id,
        since.account_id, (p_verified ->> 'position')::bigint, 1)) then 0 else 1 end
    from since
  )
  select part.account_id, sum(part.opening), sum(part.debits), sum(part.credits), sum(part.total),
    sum(part.weighted), sum(part.lines)::bigint, sum(part.firsts)::bigint,
    sum(part.accounts)::bigint
  from part group by part.account_id
$$;

-- Customers' accounts that moved after a position: the balance that is kept, and what the lines
-- since make of the balance before the first of them.
create or replace function balances_since(p_operator_id text, p_after bigint)
returns table (account_id text, balance bigint, total numeric)
language sql stable parallel safe as $$
  select moved.account_id, balance_row.balance, moved.amount + moved.begun
  from (select line.account_id, sum(line.amount) as amount,
      (array_agg(line.balance_after - line.amount order by line.position, line.line_no))[1] as begun
      from ledger_lines line
      where line.operator_id = p_operator_id and line.position > p_after
        and (line.account_id like 'wallet:%' or line.account_id like 'hold:%')
      group by line.account_id) moved
    left join account_balances balance_row on balance_row.operator_id = p_operator_id
      and balance_row.account_id = moved.account_id
$$;

-- The ledger against itself and against the facts: trial balance, scanned counts and both
-- statements, with the findings of `trial_balance`, `account_balance`, `cash_statement`,
-- `collateral_statement`, `order_money` (fee accounts), `settlement_amount` (fees returned) and
-- `position_cost` (stakes). The ending of a statement is what its accounts' lines sum to; the
-- expected ending is test money or deposits, and what orders, exits and settlements moved
-- (money_facts). No entry explains itself: a correction is one finding (info) and changes nothing
-- of what is expected. Amounts are cents, signed as the ledger has them.
-- p_verified: what an earlier run over everything returned as `verified`; only what was recorded
-- since is read and added to it. Null reads everything.
create or replace function check_ledger(p_operator_id text, p_base bigint, p_verified jsonb)
returns json language sql stable parallel safe as $$
  with sums as materialized (
    select summed.*, 1::bigint as accounts from account_sums(p_operator_id, p_base) summed
    where p_verified is null
    union all
    select * from account_sums_since(p_operator_id, p_base, p_verified)
    where p_verified is not null
  ), fact as materialized (
    select * from money_facts(p_operator_id) where p_verified is null
    union all
    select * from money_facts_since(p_operator_id, p_verified) where p_verified is not null
  ), entry as (
    select coalesce((p_verified ->> 'entries')::bigint, 0) + count(*) as entries,
      case when p_base = 0 then coalesce((p_verified ->> 'entries')::bigint, 0) else 0 end
        + count(*) filter (where position > p_base) as scanned
    from ledger_entries where operator_id = p_operator_id
      and position > coalesce((p_verified ->> 'position')::bigint, 0)
  ), counted as (
    select coalesce(max(counter.feed_position), 0) as position from operator_counters counter
    where counter.operator_id = p_operator_id
  ), whole as (
    select coalesce(sum(debits), 0) as debits, coalesce(sum(credits), 0) as credits,
      coalesce(sum(total), 0) as total,
      coalesce(sum(weighted), 0) as weighted, coalesce(sum(lines), 0) as lines,
        coalesce(sum(firsts), 0) as firsts,
      coalesce(sum(accounts), 0) as accounts
    from sums
  ), scoped as (
    select 'hosted' as side, sums.* from sums
      where sums.account_id like 'wallet:%' or sums.account_id like 'hold:%'
    union all
    select 'operator_collateral', sums.* from sums where sums.account_id like 'collateral:%'
  ), statement as materialized (
    select wanted.side, (select coalesce(sum(scoped.accounts), 0) from scoped
      where scoped.side = wanted.side) as accounts,
      -coalesce((select sum(opening) from scoped where scoped.side = wanted.side), 0) as opening,
      -coalesce((select sum(total) from scoped where scoped.side = wanted.side), 0) as ending,
      wanted.expected
    from (
      select 'hosted' as side, fact.test_money + fact.hosted as expected from fact
      union all
      select 'operator_collateral', fact.deposited + fact.collateral from fact) wanted
  ), unbalanced as (
    select line.position, sum(line.amount) as difference from ledger_lines line
    where line.operator_id = p_operator_id
      and (select whole.total <> 0 or whole.weighted <> 0 from whole)
    group by line.position having sum(line.amount) <> 0 order by line.position limit 20
  ), empty as (
    select position, entry_id from ledger_entries
    where operator_id = p_operator_id and cardinality(amounts) = 0
      and (select whole.firsts <> entry.entries from whole, entry)
    order by position limit 20
  ), expected as (
    -- the accounts that no customer owns; those of customers and of collateral are in the
    -- statements, wallet_balance and orphan_hold
    select account.*
    from fact cross join lateral (values
        ('cash_statement', 'sandbox:float', fact.test_money, 'customers and deposits were given'),
        ('collateral_statement', 'deposits', fact.deposited, 'deposits less withdrawals make'),
        ('order_money', 'fees:platform', -fact.platform_fees, 'orders were charged'),
        ('order_money', 'fees:venue', -fact.venue_fees - fact.overrun, 'orders were charged'),
        ('order_money', 'overrun', fact.overrun, 'fills cost beyond what orders were charged'),
        ('settlement_amount', 'fees:returned', fact.fees_returned, 'annulled positions had paid'),
        ('position_cost', 'stakes', -fact.stakes, 'open positions cost'),
        ('account_balance', 'operator:cash', -fact.operator_cash, 'simulated orders moved'),
        -- what all other accounts leave, if each holds what it should
        ('account_balance', 'result',
          fact.hosted + fact.collateral + fact.operator_cash + fact.platform_fees + fact.venue_fees
          - fact.fees_returned + fact.stakes,
          'the other facts leave')) as account(check_name, account_id, amount, source)
  ), said as (
    select account_id, balance from account_balances
    where operator_id = p_operator_id and p_verified is null
    union all
    select balance_row.account_id, balance_row.balance from sums
      join account_balances balance_row on balance_row.operator_id = p_operator_id
        and balance_row.account_id = sums.account_id
    where p_verified is not null
  ), finding as (
    select 'trial_balance' as check_name, 'critical' as severity,
      'The entry at ' || unbalanced.position
        || ' does not balance: its debits exceed its credits by '
        || minor_text(unbalanced.difference) || '.' as detail,
      'record' as subject_type, coalesce(
        (select entry_row.entry_id from ledger_entries entry_row
        where entry_row.operator_id = p_operator_id and entry_row.position = unbalanced.position),
        unbalanced.position::text) as subject_id
    from unbalanced
    union all
    select 'trial_balance', 'critical', 'The entry at ' || empty.position || ' has no lines.',
      'record', empty.entry_id::text
    from empty
    union all
    (select 'account_balance', 'critical', 'The account says '
      || minor_text(coalesce(said.balance, 0)) || ', its lines sum to '
      || minor_text(coalesce(sums.total, 0)) || '.',
      'record', coalesce(said.account_id, sums.account_id)
    from said full join (select * from sums
      where sums.account_id not in ('wallet:', 'hold:')) sums on sums.account_id = said.account_id
    where coalesce(said.balance, 0) <> coalesce(sums.total, 0) order by 5 limit 100)
    union all
    (select 'account_balance', 'critical', 'The account says ' || minor_text(moved.balance)
      || ', its lines sum to ' || minor_text(moved.total) || '.', 'record', moved.account_id
    from balances_since(p_operator_id, (p_verified ->> 'position')::bigint) moved
    where p_verified is not null and moved.balance is distinct from moved.total
    order by 5 limit 100)
    union all
    select expected.check_name, 'critical', 'The account holds '
      || minor_text(-coalesce(sums.total, 0)) || ', ' || expected.source || ' '
      || minor_text(-expected.amount) || '.', 'record', expected.account_id
    from expected left join sums on sums.account_id = expected.account_id
    where coalesce(sums.total, 0) <> expected.amount
    union all
    (select 'account_balance', 'critical', 'Nothing books on this account; it holds '
      || minor_text(-sums.total) || '.', 'record', sums.account_id
    from sums
    where sums.total <> 0 and sums.account_id <> all (array(select account_id from expected))
      and sums.account_id not like 'wallet:%' and sums.account_id not like 'hold:%'
        and sums.account_id not in ('collateral:available', 'collateral:committed')
    order by 5 limit 100)
    union all
    (select 'account_balance', 'info', 'Corrects ' || entry_row.corrects_entry_id || ': '
      || entry_row.memo || ' ('
        || (select string_agg(line.account_id || ' ' || minor_text(-line.amount), ', '
          order by line.line_no) from entry_lines(entry_row.account_ids, entry_row.amounts,
            entry_row.balances_after) line)
              || ').', 'record', entry_row.entry_id
    from ledger_entries entry_row
    where entry_row.operator_id = p_operator_id and entry_row.corrects_entry_id is not null
      and entry_row.position > p_base
    order by entry_row.position limit 100)
    union all
    select case statement.side when 'hosted' then 'cash_statement' else 'collateral_statement' end,
      'critical',
      'The accounts end at ' || minor_text(statement.ending) || ', the movements at '
        || minor_text(statement.expected) || '.', 'record', p_operator_id
    from statement where statement.ending <> statement.expected
  )
  select json_build_object(
    'trialBalance', json_build_object('debits', whole.debits::text, 'credits', whole.credits::text),
    'scanned', json_build_object('entries', entry.scanned, 'lines', whole.lines, 'accounts',
      whole.accounts),
    'statements', (select json_object_agg(statement.side,
      json_build_object('accounts', statement.accounts, 'opening', statement.opening::text,
      'ending', statement.ending::text,
      'expected', statement.expected::text)) from statement),
    'findings', (select coalesce(json_agg(json_build_object('checkName', finding.check_name,
        'severity', finding.severity, 'detail', finding.detail, 'subjectType',
        finding.subject_type, 'subjectId', finding.subject_id)), '[]') from finding),
    'position', counted.position::text,
    'verified', case when p_base = 0 and p_verified is null then json_build_object(
      'position', counted.position,
      'entries', entry.entries,
      'customers', (select count(*) from customers customer
        where customer.operator_id = p_operator_id),
      'accounts', (select coalesce(json_agg(rolled), '[]') from (
        select rolled_account(sums.account_id) as account_id, sum(debits) as debits,
          sum(credits) as credits, sum(total) as total, sum(weighted) as weighted,
          sum(lines) as lines, sum(firsts) as firsts, sum(accounts) as accounts
        from sums group by 1) rolled),
      'facts', (select row_to_json(fact) from fact),
      'openOrders', (select coalesce(json_agg(opened), '[]') from open_order_money(p_operator_id)
        opened))::text end)
  from whole, entry, counted
$$;

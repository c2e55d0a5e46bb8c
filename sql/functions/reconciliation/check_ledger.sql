-- The ledger against itself and against the facts: trial balance, scanned counts and both statements, with the findings of
-- `trial_balance`, `account_balance`, `cash_statement`, `collateral_statement`, `order_money` (fee accounts), `settlement_amount`
-- (fees returned) and `position_cost` (stakes). The ending of a statement is what its accounts' lines sum to; the expected
-- ending is test money or deposits, and what orders, exits and settlements moved (money_facts). No entry explains itself: a
-- correction is one finding (info) and changes nothing of what is expected. Amounts are cents, signed as the ledger has them.
create or replace function check_ledger(p_operator_id text, p_base bigint) returns json language sql stable parallel safe as $$
  with sums as materialized (
    select * from account_sums(p_operator_id, p_base)
  ), fact as materialized (
    select * from money_facts(p_operator_id)
  ), entry as (
    select count(*) as entries, count(*) filter (where position > p_base) as scanned
    from ledger_entries where operator_id = p_operator_id
  ), whole as (
    select coalesce(sum(debits), 0) as debits, coalesce(sum(credits), 0) as credits, coalesce(sum(total), 0) as total,
      coalesce(sum(weighted), 0) as weighted, coalesce(sum(lines), 0) as lines, coalesce(sum(firsts), 0) as firsts,
      count(*) as accounts
    from sums
  ), scoped as (
    select 'hosted' as side, s.* from sums s where s.account_id like 'wallet:%' or s.account_id like 'hold:%'
    union all
    select 'operator_collateral', s.* from sums s where s.account_id like 'collateral:%'
  ), statement as materialized (
    select x.side, (select count(*) from scoped s where s.side = x.side) as accounts,
      -coalesce((select sum(opening) from scoped s where s.side = x.side), 0) as opening,
      -coalesce((select sum(total) from scoped s where s.side = x.side), 0) as ending,
      x.expected
    from (
      select 'hosted' as side, f.test_money + f.hosted as expected from fact f
      union all
      select 'operator_collateral', f.deposited + f.collateral from fact f) x
  ), unbalanced as (
    select l.position, sum(l.amount) as difference from ledger_lines l
    where l.operator_id = p_operator_id and (select w.total <> 0 or w.weighted <> 0 from whole w)
    group by l.position having sum(l.amount) <> 0 order by l.position limit 20
  ), stray as (
    select coalesce(e.position, l.position) as position, e.entry_id, e.position is null as lines_only
    from (select position, entry_id from ledger_entries where operator_id = p_operator_id) e
      full join (select distinct position from ledger_lines where operator_id = p_operator_id) l on l.position = e.position
    where (select w.firsts <> n.entries from whole w, entry n) and (e.position is null or l.position is null)
    order by 1 limit 20
  ), expected as (
    -- the accounts that no customer owns; those of customers and of collateral are in the statements, wallet_balance and orphan_hold
    select a.*
    from fact f cross join lateral (values
        ('cash_statement', 'sandbox:float', f.test_money, 'customers and deposits were given'),
        ('collateral_statement', 'deposits', f.deposited, 'deposits less withdrawals make'),
        ('order_money', 'fees:platform', -f.platform_fees, 'orders were charged'),
        ('order_money', 'fees:venue', -f.venue_fees - f.overrun, 'orders were charged'),
        ('order_money', 'overrun', f.overrun, 'fills cost beyond what orders were charged'),
        ('settlement_amount', 'fees:returned', f.fees_returned, 'annulled positions had paid'),
        ('position_cost', 'stakes', -f.stakes, 'open positions cost'),
        ('account_balance', 'operator:cash', -f.operator_cash, 'simulated orders moved'),
        -- what all other accounts leave, if each holds what it should
        ('account_balance', 'result', f.hosted + f.collateral + f.operator_cash + f.platform_fees + f.venue_fees - f.fees_returned + f.stakes,
          'the other facts leave')) as a(check_name, account_id, amount, source)
  ), finding as (
    select 'trial_balance' as check_name, 'critical' as severity,
      'The entry at ' || u.position || ' does not balance: its debits exceed its credits by ' || minor_text(u.difference) || '.' as detail,
      'record' as subject_type, coalesce((select e.entry_id from ledger_entries e where e.operator_id = p_operator_id and e.position = u.position), u.position::text) as subject_id
    from unbalanced u
    union all
    select 'trial_balance', 'critical', case when t.lines_only then 'Lines at ' || t.position || ' belong to no entry.' else 'The entry at ' || t.position || ' has no lines.' end,
      'record', coalesce(t.entry_id, t.position::text)
    from stray t
    union all
    (select 'account_balance', 'critical', 'The account says ' || minor_text(coalesce(b.balance, 0)) || ', its lines sum to ' || minor_text(coalesce(s.total, 0)) || '.',
      'record', coalesce(b.account_id, s.account_id)
    from (select account_id, balance from account_balances where operator_id = p_operator_id) b full join sums s on s.account_id = b.account_id
    where coalesce(b.balance, 0) <> coalesce(s.total, 0) order by 5 limit 100)
    union all
    select x.check_name, 'critical', 'The account holds ' || minor_text(-coalesce(s.total, 0)) || ', ' || x.source || ' ' || minor_text(-x.amount) || '.', 'record', x.account_id
    from expected x left join sums s on s.account_id = x.account_id
    where coalesce(s.total, 0) <> x.amount
    union all
    (select 'account_balance', 'critical', 'Nothing books on this account; it holds ' || minor_text(-s.total) || '.', 'record', s.account_id
    from sums s
    where s.total <> 0 and s.account_id <> all (array(select account_id from expected))
      and s.account_id not like 'wallet:%' and s.account_id not like 'hold:%' and s.account_id not in ('collateral:available', 'collateral:committed')
    order by 5 limit 100)
    union all
    (select 'account_balance', 'info', 'Corrects ' || e.corrects_entry_id || ': ' || e.memo || ' ('
        || (select string_agg(l.account_id || ' ' || minor_text(-l.amount), ', ' order by l.line_no) from ledger_lines l
            where l.operator_id = e.operator_id and l.position = e.position) || ').', 'record', e.entry_id
    from ledger_entries e
    where e.operator_id = p_operator_id and e.corrects_entry_id is not null and e.position > p_base
    order by e.position limit 100)
    union all
    select case t.side when 'hosted' then 'cash_statement' else 'collateral_statement' end, 'critical',
      'The accounts end at ' || minor_text(t.ending) || ', the movements at ' || minor_text(t.expected) || '.', 'record', p_operator_id
    from statement t where t.ending <> t.expected
  )
  select json_build_object(
    'trialBalance', json_build_object('debits', w.debits::text, 'credits', w.credits::text),
    'scanned', json_build_object('entries', n.scanned, 'lines', w.lines, 'accounts', w.accounts),
    'statements', (select json_object_agg(t.side, json_build_object('accounts', t.accounts, 'opening', t.opening::text, 'ending', t.ending::text,
      'expected', t.expected::text)) from statement t),
    'findings', (select coalesce(json_agg(f), '[]') from finding f))
  from whole w, entry n
$$;

-- The figures of a closed period: each account with its opening and closing balance, and each kind
-- of movement of customers' and operators' money. Signed cents, debit positive. Balances come from
-- the running balances of the rows, debits and credits from their amounts, so each is a check of
-- the other. Entries recorded after the period and dated in it are at positions up to
-- through_position, because the database refuses later ones.
create or replace function period_statement(p_operator_id text, p_number integer)
returns json language sql stable
-- By index only: a plan that was made on small tables must not scan them when they have grown.
set enable_seqscan = off as $$
  with period as materialized (
    select starts_at, ends_at, through_position,
      feed_position_at(p_operator_id, starts_at) as before_start,
      feed_position_at(p_operator_id, ends_at) as before_end
    from accounting_periods where operator_id = p_operator_id and number = p_number
  ), late as materialized (
    -- dated before a bound of the period and recorded after it
    select line.* from period cross join lateral
      journal_lines(p_operator_id, period.before_start, period.through_position) line
    where line.effective_at < period.ends_at
  ), posted as materialized (
    select line.* from period cross join lateral
      journal_lines(p_operator_id, period.before_start, period.before_end) line
    where line.effective_at is null or line.effective_at >= period.starts_at
    union all
    select late.* from period join late on late.sequence > period.before_end
      and late.effective_at >= period.starts_at
  ), figure as (
    select balance.account_id, balance.balance as opening, 0 as debits, 0 as credits, 0 as closing
      from period cross join lateral balances_at(p_operator_id, period.before_start) balance
    union all
    select late.account_id, late.amount, 0, 0, 0 from period
      join late on late.effective_at < period.starts_at
    union all
    select balance.account_id, 0, 0, 0, balance.balance
      from period cross join lateral balances_at(p_operator_id, period.before_end) balance
    union all
    select late.account_id, 0, 0, 0, late.amount from period
      join late on late.sequence > period.before_end
    union all
    select account_id, 0, greatest(amount, 0), greatest(-amount, 0), 0 from posted
  ), account as (
    select account_id, sum(opening) as opening, sum(debits) as debits, sum(credits) as credits,
      sum(closing) as closing
    from figure group by account_id
  ), movement as (
    select case when account_id like 'collateral:%' then 'operator_collateral' else 'hosted' end
      as side, movement_type, count(distinct sequence) as entries, -sum(amount) as amount
    from posted where account_id like 'wallet:%' or account_id like 'hold:%'
      or account_id like 'collateral:%' group by 1, 2
  )
  select json_build_object('entries', (select count(distinct sequence) from posted),
    'accounts', (select coalesce(json_agg(json_build_object('accountId', account_id,
      'opening', opening::text, 'debits', debits::text, 'credits', credits::text,
      'closing', closing::text) order by account_id collate "C"), '[]') from account
      where (opening, debits, credits, closing) <> (0, 0, 0, 0)),
    'movements', (select coalesce(json_agg(json_build_object('side', side,
      'movementType', movement_type, 'entries', entries, 'amount', amount::text)
      order by side, movement_type collate "C"), '[]') from movement))
$$;

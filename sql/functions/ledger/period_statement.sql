-- The figures of a closed period: each account with its opening and closing balance, and each kind
-- of movement of customers' and operators' money. Signed cents, debit positive. Balances come from
-- the running balances of the rows, debits and credits from their amounts, so each is a check of
-- the other. Entries recorded after the period and dated in it are at positions up to
-- through_position, because the database refuses later ones.
create or replace function period_statement(p_operator_id text, p_number integer)
returns json language plpgsql stable
-- By index only: a plan that was made on small tables must not scan them when they have grown.
set enable_seqscan = off as $$
declare
  v_period accounting_periods;
  v_before_start bigint;
  v_before_end bigint;
  -- what accounts had at its bounds
  v_opened text[];
  v_opening bigint[];
  v_closed text[];
  v_closing bigint[];
  v_statement json;
begin
  select * into v_period from accounting_periods period
  where period.operator_id = p_operator_id and period.number = p_number;
  v_before_start := feed_position_at(p_operator_id, v_period.starts_at);
  v_before_end := feed_position_at(p_operator_id, v_period.ends_at);
  select array_agg(kept.account_id), array_agg(kept.balance) into v_opened, v_opening
  from balances_at(p_operator_id, v_before_start) kept;
  select array_agg(kept.account_id), array_agg(kept.balance) into v_closed, v_closing
  from balances_at(p_operator_id, v_before_end) kept;

  with late as materialized (
    -- dated before a bound of the period and recorded after it
    select line.sequence, line.effective_at, line.account_id, line.amount,
      movement_type(line.kind, line.action, line.other) as movement_type
    from ledger_lines line
    where line.operator_id = p_operator_id and line.sequence > v_before_start
      and line.sequence <= v_period.through_position and line.effective_at < v_period.ends_at
  ), posted as materialized (
    select line.sequence, line.account_id, line.amount,
      movement_type(line.kind, line.action, line.other) as movement_type
    from ledger_lines line
    where line.operator_id = p_operator_id and line.sequence > v_before_start
      and line.sequence <= v_before_end
      and (line.effective_at is null or line.effective_at >= v_period.starts_at)
    union all
    select late.sequence, late.account_id, late.amount, late.movement_type from late
    where late.sequence > v_before_end and late.effective_at >= v_period.starts_at
  ), figure as (
    select balance.account_id, balance.amount as opening, 0 as debits, 0 as credits, 0 as closing
      from unnest(v_opened, v_opening) as balance(account_id, amount)
    union all
    select late.account_id, late.amount, 0, 0, 0 from late
      where late.effective_at < v_period.starts_at
    union all
    select balance.account_id, 0, 0, 0, balance.amount
      from unnest(v_closed, v_closing) as balance(account_id, amount)
    union all
    select late.account_id, 0, 0, 0, late.amount from late where late.sequence > v_before_end
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
  into v_statement;
  return v_statement;
end $$;

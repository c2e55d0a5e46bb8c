-- Balances at a position of the feed, and the closing and the figures of accounting periods.

-- The balances of an operator's accounts after a position, from the last row up to there that moved
-- each account. Accounts that were never moved are left out. Signed cents, a debit is positive.
create or replace function balances_at(p_operator_id text, p_position bigint)
returns table (account_id text, balance bigint) language plpgsql stable parallel safe
-- Each balance is one look-up backwards in the order of an index.
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
#variable_conflict use_column
begin
  return query
  select account.account_id, account.balance from (values
    ('stakes', (select row.stakes_after from journal row
      where row.operator_id = p_operator_id and row.sequence <= p_position
        and row.stakes is not null order by row.sequence desc limit 1)),
    ('result', (select row.result_after from journal row
      where row.operator_id = p_operator_id and row.sequence <= p_position
        and row.result is not null order by row.sequence desc limit 1)),
    ('fees:platform', (select row.platform_fees_after from journal row
      where row.operator_id = p_operator_id and row.sequence <= p_position
        and row.platform_fees is not null order by row.sequence desc limit 1)),
    ('fees:venue', (select row.venue_fees_after from journal row
      where row.operator_id = p_operator_id and row.sequence <= p_position
        and row.venue_fees is not null order by row.sequence desc limit 1))
  ) account(account_id, balance) where account.balance is not null
  union all
  -- money of a live operator; the wallets of a sandbox follow
  select account.account_id, account.balance
  from operators operator cross join lateral (values
    ('collateral:available', (select row.available_after from journal row
      where row.operator_id = p_operator_id and row.sequence <= p_position
        and row.funds = 'collateral' and row.available is not null
      order by row.sequence desc limit 1)),
    ('collateral:committed', (select row.held_after from journal row
      where row.operator_id = p_operator_id and row.sequence <= p_position
        and row.funds = 'collateral' and row.held is not null
      order by row.sequence desc limit 1)),
    ('operator:cash', (select row.available_after from journal row
      where row.operator_id = p_operator_id and row.sequence <= p_position
        and row.funds = 'cash' and row.available is not null
      order by row.sequence desc limit 1))
  ) account(account_id, balance)
  where operator.operator_id = p_operator_id and operator.mode = 'live'
    and account.balance is not null
  union all
  select account.account_id, account.balance
  from wallets wallet cross join lateral (values
    (money_account('wallet', false, wallet.external_user_id), (select row.available_after
      from journal row
      where row.operator_id = p_operator_id and row.external_user_id = wallet.external_user_id
        and row.sequence <= p_position and row.funds = 'wallet' and row.available is not null
      order by row.sequence desc limit 1)),
    (money_account('wallet', true, wallet.external_user_id), (select row.held_after
      from journal row
      where row.operator_id = p_operator_id and row.external_user_id = wallet.external_user_id
        and row.sequence <= p_position and row.funds = 'wallet' and row.held is not null
      order by row.sequence desc limit 1))
  ) account(account_id, balance)
  where wallet.operator_id = p_operator_id and account.balance is not null
  union all
  -- seldom moved, each by rows of one kind
  select seldom.account_id, moved.other_after
  from (values ('sandbox:float', 'wallet_funded'), ('deposits', 'collateral_moved'),
      ('overrun', 'overrun_posted'), ('fees:returned', 'position_settled')
    ) seldom(account_id, kind) cross join lateral (
    select row.other_after from journal row
    where row.operator_id = p_operator_id and row.kind = seldom.kind::journal_kind
      and row.sequence <= p_position and row.other is not null
      and row.other_account = seldom.account_id::other_account
    order by row.sequence desc limit 1) moved;
end $$;

-- Closes the operator's next accounting period, from the end of the last one until p_until. The
-- operator's ledger is locked first: a row that is being recorded is either in the journal before
-- the period closes, or is recorded at p_until or later. Outcomes: `closed`; `repeated`, with the
-- period that already ends there; and the refusals `clock_behind`, while the last row was recorded
-- far ahead of the clock, and `in_future` and `not_after`, with the last closed period.
create or replace function close_period(p_operator_id text, p_until timestamptz)
returns table (outcome text, number integer) language plpgsql as $$
#variable_conflict use_column
declare
  v_ledger operator_ledgers;
  v_last accounting_periods;
  v_now timestamptz;
begin
  select * into v_ledger from operator_ledgers ledger
  where ledger.operator_id = p_operator_id for no key update;
  v_now := clock_timestamp();
  select * into v_last from accounting_periods period
  where period.operator_id = p_operator_id order by period.number desc limit 1;
  if p_until = v_last.ends_at then
    return query select 'repeated', v_last.number;
    return;
  end if;
  if runs_ahead(v_ledger.recorded_at) then
    return query select 'clock_behind', v_last.number;
    return;
  end if;
  if p_until > v_now or p_until <= coalesce(v_last.ends_at, to_timestamp(0)) then
    return query select case when p_until > v_now then 'in_future' else 'not_after' end,
      v_last.number;
    return;
  end if;
  update operator_ledgers ledger set closed_until = p_until,
    recorded_at = greatest(ledger.recorded_at, p_until)
  where ledger.operator_id = p_operator_id;
  return query
  insert into accounting_periods as period (operator_id, number, starts_at, ends_at,
    through_position, closed_by, closed_at)
  values (p_operator_id, coalesce(v_last.number, 0) + 1, coalesce(v_last.ends_at, to_timestamp(0)),
    p_until, v_ledger.sequence, session_user, v_now)
  returning 'closed', period.number;
end $$;

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
  -- the balances of accounts at its bounds
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
    select line.sequence, line.effective_at, line.account_id, line.amount, line.movement_type
    from ledger_lines line
    where line.operator_id = p_operator_id and line.sequence > v_before_start
      and line.sequence <= v_period.through_position and line.effective_at < v_period.ends_at
  ), posted as materialized (
    select line.sequence, line.account_id, line.amount, line.movement_type
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

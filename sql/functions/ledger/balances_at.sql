-- The balances of an operator's accounts after a position: what the last row up to there that moved
-- the account says of it. Accounts that were never moved are left out. Signed cents, a debit is
-- positive.
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
    ('wallet:' || wallet.external_user_id, (select row.available_after from journal row
      where row.operator_id = p_operator_id and row.external_user_id = wallet.external_user_id
        and row.sequence <= p_position and row.funds = 'wallet' and row.available is not null
      order by row.sequence desc limit 1)),
    ('hold:' || wallet.external_user_id, (select row.held_after from journal row
      where row.operator_id = p_operator_id and row.external_user_id = wallet.external_user_id
        and row.sequence <= p_position and row.funds = 'wallet' and row.held is not null
      order by row.sequence desc limit 1))
  ) account(account_id, balance)
  where wallet.operator_id = p_operator_id and account.balance is not null
  union all
  -- seldom moved, each by rows of one kind and by corrections, which are found by their kind
  select seldom.account_id, moved.other_after
  from (values ('sandbox:float', 'wallet_funded'), ('deposits', 'collateral_moved'),
      ('overrun', 'overrun_posted'), ('fees:returned', 'position_settled')
    ) seldom(account_id, kind) cross join lateral (
    select found.other_after
    from (values (seldom.kind::journal_kind), ('entry_corrected')) cause(kind)
      cross join lateral (select row.sequence, row.other_after from journal row
        where row.operator_id = p_operator_id and row.kind = cause.kind
          and row.sequence <= p_position and row.other is not null
          and row.other_account = seldom.account_id::other_account
        order by row.sequence desc limit 1) found
    order by found.sequence desc limit 1) moved;
end $$;

-- `wallet_balance`: what a sandbox customer has, free and held, against the 10,000.00 that each has
-- once, what the test bridge credited and what orders and settlements moved. Read from those
-- records, never from the entries of the wallet. Of p_customers and their p_accounts, or of all.
create or replace function check_wallet_balance(p_operator_id text, p_customers text[],
  p_accounts text[])
returns setof finding language sql stable parallel safe as $$
  with wallet as (
    select substring(account_id from position(':' in account_id) + 1) as external_user_id,
      -sum(balance) as amount
    from account_balances where operator_id = p_operator_id
      and (account_id like 'wallet:%' or account_id like 'hold:%')
      and (p_accounts is null or account_id = any (p_accounts)) group by 1
  ), moved as (
    select movement.external_user_id, sum(movement.amount) as amount from (
      select order_row.external_user_id, order_row.proceeds_minor - order_row.debit_minor as amount
        from orders order_row where order_row.operator_id = p_operator_id
          and (p_customers is null or order_row.external_user_id = any (p_customers))
      union all
      select settlement.external_user_id,
        settlement.settlement_credit_minor + settlement.void_credit_minor
        from settlements settlement where settlement.operator_id = p_operator_id
          and (p_customers is null or settlement.external_user_id = any (p_customers))
      union all
      select customer.external_user_id, 1000000 from customers customer
        where customer.operator_id = p_operator_id
          and (p_customers is null or customer.external_user_id = any (p_customers))
      union all
      select deposit.external_user_id, deposit.credited_minor from sandbox_deposits deposit
        where deposit.operator_id = p_operator_id and deposit.credited_minor is not null
          and (p_customers is null or deposit.external_user_id = any (p_customers))) movement
    group by 1
  )
  select 'wallet_balance', 'critical', 'The wallet holds ' || minor_text(coalesce(wallet.amount, 0))
    || ', its movements make ' || minor_text(coalesce(moved.amount, 0)) || '.',
    'user', coalesce(wallet.external_user_id, moved.external_user_id)
  from wallet full join moved on moved.external_user_id = wallet.external_user_id
  where coalesce(wallet.amount, 0) <> coalesce(moved.amount, 0)
    and exists (select 1 from operators operator
      where operator.operator_id = p_operator_id and operator.mode = 'sandbox')
  order by 5 limit 100
$$;

-- `orphan_hold`: money held in wallets, and collateral committed, against the orders that hold it.
-- Of p_accounts, or of all.
create or replace function check_orphan_hold(p_operator_id text, p_accounts text[])
returns setof finding language sql stable parallel safe as $$
  with open_order as (
    select case when operator.mode = 'sandbox' then 'hold:' || order_row.external_user_id
      else 'collateral:committed' end as account_id, sum(order_row.release_minor) as amount
    from orders order_row join operators operator on operator.operator_id = order_row.operator_id
    where order_row.operator_id = p_operator_id and order_row.action = 'buy'
      and is_open_order(order_row.status, order_row.transmission_state)
      and order_row.status in ('reserve_pending', 'pending_venue_execution', 'submitted',
        'partially_filled', 'pending')
      and (operator.mode = 'sandbox'
        or (order_row.status <> 'reserve_pending' and not order_row.simulated))
    group by 1
  ), held as (
    select account_id, -balance as amount from account_balances
    where operator_id = p_operator_id
      and (account_id like 'hold:%' or account_id = 'collateral:committed') and balance <> 0
      and (p_accounts is null or account_id = any (p_accounts))
  )
  select 'orphan_hold', 'critical', 'Held ' || minor_text(coalesce(held.amount, 0))
    || ', open orders hold ' || minor_text(coalesce(open_order.amount, 0)) || '.',
    case when coalesce(held.account_id, open_order.account_id) like 'hold:%' then 'user'
      else 'record' end,
    case when coalesce(held.account_id, open_order.account_id) like 'hold:%'
      then substring(coalesce(held.account_id, open_order.account_id) from 6)
      else coalesce(held.account_id, open_order.account_id) end
  from held full join open_order on open_order.account_id = held.account_id
  where coalesce(held.amount, 0) <> coalesce(open_order.amount, 0)
    and (p_accounts is null or coalesce(held.account_id, open_order.account_id) = any (p_accounts))
  order by 5 limit 100
$$;

-- `wallet_balance`: what a sandbox customer has, free and held, against the 10,000.00 that each has once, what the test bridge
-- credited and what orders and settlements moved. Read from those records, never from the entries of the wallet.
create or replace function check_wallet_balance(p_operator_id text) returns setof finding language sql stable parallel safe as $$
  with wallet as (
    select substring(account_id from position(':' in account_id) + 1) as external_user_id, -sum(balance) as amount
    from account_balances where operator_id = p_operator_id and (account_id like 'wallet:%' or account_id like 'hold:%') group by 1
  ), moved as (
    select m.external_user_id, sum(m.amount) as amount from (
      select o.external_user_id, o.proceeds_minor - o.debit_minor as amount from orders o where o.operator_id = p_operator_id
      union all
      select s.external_user_id, s.settlement_credit_minor + s.void_credit_minor from settlements s where s.operator_id = p_operator_id
      union all
      select k.external_user_id, 1000000 from customers k where k.operator_id = p_operator_id
      union all
      select d.external_user_id, d.credited_minor from sandbox_deposits d where d.operator_id = p_operator_id and d.credited_minor is not null) m
    group by 1
  )
  select 'wallet_balance', 'critical', 'The wallet holds ' || minor_text(coalesce(w.amount, 0)) || ', its movements make ' || minor_text(coalesce(m.amount, 0)) || '.',
    'user', coalesce(w.external_user_id, m.external_user_id)
  from wallet w full join moved m on m.external_user_id = w.external_user_id
  where coalesce(w.amount, 0) <> coalesce(m.amount, 0)
    and exists (select 1 from operators o where o.operator_id = p_operator_id and o.mode = 'sandbox')
  order by 5 limit 100
$$;

-- `orphan_hold`: money held in wallets, and collateral committed, against the orders that hold it.
create or replace function check_orphan_hold(p_operator_id text) returns setof finding language sql stable parallel safe as $$
  with open_order as (
    select case when p.mode = 'sandbox' then 'hold:' || o.external_user_id else 'collateral:committed' end as account_id, sum(o.release_minor) as amount
    from orders o join operators p on p.operator_id = o.operator_id
    where o.operator_id = p_operator_id and o.action = 'buy' and is_open_order(o.status, o.transmission_state)
      and o.status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'pending')
      and (p.mode = 'sandbox' or (o.status <> 'reserve_pending' and not o.simulated))
    group by 1
  ), held as (
    select account_id, -balance as amount from account_balances
    where operator_id = p_operator_id and (account_id like 'hold:%' or account_id = 'collateral:committed') and balance <> 0
  )
  select 'orphan_hold', 'critical', 'Held ' || minor_text(coalesce(h.amount, 0)) || ', open orders hold ' || minor_text(coalesce(o.amount, 0)) || '.',
    case when coalesce(h.account_id, o.account_id) like 'hold:%' then 'user' else 'record' end,
    case when coalesce(h.account_id, o.account_id) like 'hold:%' then substring(coalesce(h.account_id, o.account_id) from 6) else coalesce(h.account_id, o.account_id) end
  from held h full join open_order o on o.account_id = h.account_id
  where coalesce(h.amount, 0) <> coalesce(o.amount, 0)
  order by 5 limit 100
$$;

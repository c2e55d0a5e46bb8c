-- What the report reads, in one statement and so of one moment: the ledger's figures, and the findings of the checks. Two
-- that only look at what never changes run beside this one (run-report.ts), and the webhook room tells what is stuck in its
-- own words.
create or replace function reconcile(p_operator_id text, p_from timestamptz) returns json language sql stable parallel safe
set work_mem = '64MB' as $$
  with bound as materialized (
    select feed_position_at(p_operator_id, p_from) as base, p_from - interval '10 minutes' as since
  ), ledger as materialized (
    select check_ledger(p_operator_id, b.base) as told from bound b
  ), finding as (
    select f.* from bound b cross join lateral (
      select * from check_order_money(p_operator_id, b.since)
      union all select * from check_order_fills(p_operator_id, b.since)
      union all select * from check_order_unresolved(p_operator_id)
      union all select * from check_position_quantity(p_operator_id)
      union all select * from check_position_cost(p_operator_id)
      union all select * from check_settlement_once(p_operator_id)
      union all select * from check_settlement_amount(p_operator_id, b.base)
      union all select * from check_wallet_balance(p_operator_id)
      union all select * from check_orphan_hold(p_operator_id)
      union all select * from check_venue_evidence(p_operator_id, p_from)
      union all select * from check_venue_agreement(p_operator_id, b.base)) f
  )
  select json_build_object('ranAt', now(), 'ledger', l.told, 'venueAgreement', count_venue_agreement(p_operator_id, b.base),
    'findings', (select coalesce(json_agg(f), '[]') from finding f))
  from bound b, ledger l
$$;

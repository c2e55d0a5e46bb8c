-- Cents that count in a customer's rolling window: buys by order time, the authorization while open and the debit after.
create or replace function period_used(p_operator_id text, p_external_user_id text, p_hours integer) returns bigint language sql stable as $$
  select coalesce(sum(counted_stake_minor), 0)::bigint from orders
  where operator_id = p_operator_id and external_user_id = p_external_user_id
    and created_at > now() - make_interval(hours => p_hours)
$$;

-- Cents that count in a customer's rolling window: each buy by its time, with the authorization
-- while it is open and the debit afterwards.
create or replace function period_used(p_operator_id text, p_external_user_id text, p_hours integer)
returns bigint language sql stable as $$
  select coalesce(sum(counted_stake_minor), 0)::bigint from orders
  where operator_id = p_operator_id and external_user_id = p_external_user_id
    and created_at > now() - make_interval(hours => p_hours)
$$;

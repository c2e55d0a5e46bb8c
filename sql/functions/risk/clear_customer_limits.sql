-- Removes the account limits of a customer (DELETE users/{id}/limits). If there are none, it writes
-- nothing and creates no customer.
create or replace function clear_customer_limits(p_operator_id text, p_external_user_id text,
  p_set_by text) returns void language plpgsql as $$
begin
  update customers set max_wager_minor = null, period_stake_minor = null, period_hours = null,
    limits_note = null
  where operator_id = p_operator_id and external_user_id = p_external_user_id
    and num_nonnulls(max_wager_minor, period_stake_minor, period_hours, limits_note) > 0;
  if found then
    insert into limit_changes (operator_id, external_user_id, action, set_by, recorded_at)
    values (p_operator_id, p_external_user_id, 'cleared', p_set_by, clock_timestamp());
  end if;
end $$;

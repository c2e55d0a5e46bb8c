-- Replaces the account limits of a customer (PUT users/{id}/limits) and records who did it. The
-- customer's row is the lock, so the history ends with the limits in force.
create or replace function set_customer_limits(
  p_operator_id text, p_external_user_id text, p_max_wager_minor bigint,
  p_period_stake_minor bigint, p_period_hours integer,
  p_note text, p_set_by text
) returns void language plpgsql as $$
begin
  perform ensure_customer(p_operator_id, p_external_user_id);
  update customers
  set max_wager_minor = p_max_wager_minor, period_stake_minor = p_period_stake_minor,
    period_hours = p_period_hours, limits_note = p_note
  where operator_id = p_operator_id and external_user_id = p_external_user_id;
  insert into limit_changes (operator_id, external_user_id, action, max_wager_minor,
    period_stake_minor, period_hours, note, set_by, recorded_at)
  values (p_operator_id, p_external_user_id, 'set', p_max_wager_minor, p_period_stake_minor,
    p_period_hours, p_note, p_set_by, clock_timestamp());
end $$;

-- What a stake was measured against, if it breaks a limit; null if it breaks none. Sells are not
-- measured.
create or replace function broken_limits(p_operator operators, p_customer customers, p_stake bigint)
returns json language plpgsql stable as $$
declare
  v_account_used bigint;
  v_operator_used bigint;
begin
  if p_customer.period_hours is not null then
    v_account_used := period_used(p_customer.operator_id, p_customer.external_user_id,
      p_customer.period_hours);
  end if;
  if p_operator.period_hours is not null then
    v_operator_used := period_used(p_customer.operator_id, p_customer.external_user_id,
      p_operator.period_hours);
  end if;
  return measured_limits(p_stake, p_customer.max_wager_minor, p_customer.period_stake_minor,
    p_customer.period_hours, v_account_used, p_operator.max_wager_minor,
    p_operator.period_stake_minor, p_operator.period_hours, v_operator_used,
    p_operator.max_order_minor);
end $$;

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
  if p_stake > least(p_customer.max_wager_minor, p_operator.max_wager_minor,
    p_operator.max_order_minor,
                     p_customer.period_stake_minor - v_account_used,
                       p_operator.period_stake_minor - v_operator_used) then
    return json_build_object(
      'account', json_build_object('maxWagerMinor', p_customer.max_wager_minor::text,
        'periodStakeMinor', p_customer.period_stake_minor::text,
        'periodHours', p_customer.period_hours, 'usedMinor', v_account_used::text),
      'operator', json_build_object('maxWagerMinor', p_operator.max_wager_minor::text,
        'periodStakeMinor', p_operator.period_stake_minor::text,
        'periodHours', p_operator.period_hours, 'usedMinor', v_operator_used::text),
      'maxOrderMinor', p_operator.max_order_minor::text);
  end if;
  return null;
end $$;

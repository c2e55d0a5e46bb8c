-- What a stake was measured against, if it breaks a limit; null if it breaks none: the limits of
-- the account and of the operator, with what counts in their windows, and the operator's largest
-- order. Reads no table, so that any statement may call it for its rows.
create or replace function broken_limits(p_stake bigint, p_max_wager bigint,
  p_period_stake bigint, p_period_hours integer, p_used bigint, p_operator_max_wager bigint,
  p_operator_period_stake bigint, p_operator_period_hours integer, p_operator_used bigint,
  p_max_order bigint) returns json language sql stable as $$
  select case when p_stake > least(p_max_wager, p_operator_max_wager, p_max_order,
      p_period_stake - p_used, p_operator_period_stake - p_operator_used)
    then json_build_object(
      'account', json_build_object('maxWagerMinor', p_max_wager::text,
        'periodStakeMinor', p_period_stake::text, 'periodHours', p_period_hours,
        'usedMinor', p_used::text),
      'operator', json_build_object('maxWagerMinor', p_operator_max_wager::text,
        'periodStakeMinor', p_operator_period_stake::text,
        'periodHours', p_operator_period_hours, 'usedMinor', p_operator_used::text),
      'maxOrderMinor', p_max_order::text) end
$$;

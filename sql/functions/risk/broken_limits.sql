-- What a stake was measured against, where it breaks any limit; null where all hold. The caller words the refusal.
-- Sells are never asked.
create or replace function broken_limits(o operators, c customers, p_stake bigint) returns json language plpgsql stable as $$
declare
  account_used bigint;
  operator_used bigint;
begin
  if c.period_hours is not null then
    account_used := period_used(c.operator_id, c.external_user_id, c.period_hours);
  end if;
  if o.period_hours is not null then
    operator_used := period_used(c.operator_id, c.external_user_id, o.period_hours);
  end if;
  if p_stake > least(c.max_wager_minor, o.max_wager_minor, o.max_order_minor,
                     c.period_stake_minor - account_used, o.period_stake_minor - operator_used) then
    return json_build_object(
      'account', json_build_object('maxWagerMinor', c.max_wager_minor::text, 'periodStakeMinor', c.period_stake_minor::text,
        'periodHours', c.period_hours, 'usedMinor', account_used::text),
      'operator', json_build_object('maxWagerMinor', o.max_wager_minor::text, 'periodStakeMinor', o.period_stake_minor::text,
        'periodHours', o.period_hours, 'usedMinor', operator_used::text),
      'maxOrderMinor', o.max_order_minor::text);
  end if;
  return null;
end $$;

-- Limits and jurisdiction of customers: what they permit, and how the operator changes them.

-- Whether a customer of this asserted country may trade (contract 29.5). Only the mode
-- `enforced` refuses; exits are permitted if the operator allows them.
create or replace function jurisdiction_permits(p_mode text, p_permitted text[],
  p_allow_exits boolean, p_country text, p_action text)
returns boolean language sql immutable parallel safe as $$
  select p_mode <> 'enforced' or (p_action = 'sell' and p_allow_exits)
    or coalesce(p_country = any (p_permitted), false)
$$;

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

-- Records where the operator says a customer is (PUT users/{id}/jurisdiction, and the creation of
-- an embed session) and returns the customer. What the service observed is not changed.
create or replace function assert_jurisdiction(
  p_operator_id text, p_external_user_id text, p_country text, p_subdivision text, p_source text,
  p_set_by text
) returns customers language plpgsql as $$
declare
  v_customer customers;
  v_now timestamptz := clock_timestamp();
begin
  perform ensure_customer(p_operator_id, p_external_user_id);
  update customers
  set country = p_country, subdivision = p_subdivision, asserted_at = v_now,
    asserted_source = p_source
  where operator_id = p_operator_id and external_user_id = p_external_user_id
  returning * into v_customer;
  insert into jurisdiction_changes (operator_id, external_user_id, country, subdivision, source,
    set_by, recorded_at)
  values (p_operator_id, p_external_user_id, p_country, p_subdivision, p_source, p_set_by,
    v_customer.asserted_at);
  return v_customer;
end $$;

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

-- Limits and jurisdiction of customers: their permissions, and how the operator changes them.

-- Whether a customer of this asserted country may trade (contract 29.5). Only the mode
-- `enforced` refuses; exits are permitted if the operator allows them.
create or replace function jurisdiction_permits(p_mode text, p_permitted text[],
  p_allow_exits boolean, p_country text, p_action text)
returns boolean language sql immutable parallel safe as $$
  select p_mode <> 'enforced' or (p_action = 'sell' and p_allow_exits)
    or coalesce(p_country = any (p_permitted), false)
$$;

-- The stakes and limits of each buy of a batch of quotes or orders that breaks a limit of its
-- customer or of its operator, or the operator's largest order; null for every other command. Each
-- buy counts in the window of a limit by its time: the authorization while it is open, and the
-- debit afterwards (contract 28.11). The orders that are read begin, by their ids, an hour before
-- the longer window: an id is made before its order is recorded, and by the clock of another
-- machine, and the times of the orders decide exactly.
create or replace function broken_limits(p_operator_id text, p_commands anyarray,
  p_at timestamptz) returns json[] language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_number bigint;
  v_limits json;
  v_broken json[] := '{}';
begin
  for v_number, v_limits in
    select command.ordinality, json_build_object(
      'account', json_build_object('maxWagerMinor', customer.max_wager_minor::text,
        'periodStakeMinor', customer.period_stake_minor::text,
        'periodHours', customer.period_hours, 'usedMinor', used.account_minor::text),
      'operator', json_build_object('maxWagerMinor', operator.max_wager_minor::text,
        'periodStakeMinor', operator.period_stake_minor::text,
        'periodHours', operator.period_hours, 'usedMinor', used.operator_minor::text),
      'maxOrderMinor', operator.max_order_minor::text)
    from unnest(p_commands) with ordinality command
      join operators operator on operator.operator_id = coalesce(v_operator, command.operator_id)
      left join customers customer
        on customer.operator_id = coalesce(v_operator, command.operator_id)
        and customer.external_user_id = command.external_user_id
      cross join lateral (
        select coalesce(sum(placed.counted_stake_minor) filter (where placed.created_at
              > p_at - make_interval(hours => customer.period_hours)), 0)::bigint as account_minor,
          coalesce(sum(placed.counted_stake_minor) filter (where placed.created_at
              > p_at - make_interval(hours => operator.period_hours)), 0)::bigint
            as operator_minor
        from (
          select recent.counted_stake_minor, recent.created_at from orders recent
          where recent.operator_id = coalesce(v_operator, command.operator_id)
            -- the order of the customer's index names it: on empty tables any other that has the
            -- operator would do as well
            and recent.external_user_id >= command.external_user_id
            and recent.external_user_id <= command.external_user_id
            and recent.order_id >= id_at('ord', p_at - make_interval(hours =>
              greatest(customer.period_hours, operator.period_hours) + 1))
          order by recent.operator_id, recent.external_user_id, recent.order_id offset 0) placed
        ) used
    -- most customers have no limit, so no sum is made for them
    where command.action = 'buy' and num_nonnulls(customer.max_wager_minor,
        customer.period_hours, operator.max_wager_minor, operator.period_hours,
        operator.max_order_minor) > 0
      and command.authorization_minor > least(customer.max_wager_minor, operator.max_wager_minor,
        operator.max_order_minor, customer.period_stake_minor - used.account_minor,
        operator.period_stake_minor - used.operator_minor)
  loop
    v_broken[v_number] := v_limits;
  end loop;
  return v_broken;
end $$;

-- The limits on the stakes of a customer now, and the sums in their windows; null if there is no
-- limit. The largest number there is breaks every limit. Reads with the owner's rights, because on
-- Citus the server of the rows does not have the setting that names the caller's operator.
create or replace function limits_of(p_operator_id text, p_external_user_id text)
returns json language plpgsql stable security definer
-- The search path is fixed, because the function runs with the owner's rights.
set search_path = public, pg_temp as $$
begin
  return case when sees_operator(p_operator_id) then (broken_limits(p_operator_id,
    array[json_populate_record(null::quote_command, json_build_object(
      'operator_id', p_operator_id, 'external_user_id', p_external_user_id, 'action', 'buy',
      'authorization_minor', 9223372036854775807))], now()))[1] end;
end $$;

-- Records the operator's statement of a customer's place (PUT users/{id}/jurisdiction, and the
-- creation of an embed session) and returns the customer. The place that the service observed is
-- not changed.
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

-- Why a transition of an order is refused, and why an order may not be sent now.

-- Why an unsent order may not be sent now, but for the caps: a reason to withdraw it, or `waits`
-- while the end of a halt, a gate or its reserve may still let it go. Null if it may be sent.
-- Reads no table, so that the list of orders that wait may call it for its rows.
create or replace function sending_refusal(p_operator_status text, p_trading_paused boolean,
  p_gates_open boolean, p_execution_confirmed_at timestamptz, p_customer_status text,
  p_market known_market, p_status text, p_updated_at timestamptz, p_at timestamptz)
returns text language sql stable as $$
  select case
    when p_operator_status <> 'active' then 'operator_suspended'
    when p_customer_status <> 'active' then 'user_suspended'
    -- a contract that closed and is withdrawn is paused, and does not come back
    when (p_market).trading_closed or market_state((p_market).status, (p_market).trading_closed,
      (p_market).closes_at, p_at) in ('ended', 'closed') then 'market_not_open'
    when p_status <> 'pending_venue_execution' then 'waits'
    when p_trading_paused then 'trading_paused'
    -- our own pause withdraws (contract 19.7); a halt of the venue may end
    when (p_market).operator_paused then 'market_unavailable'
    -- Five minutes after its reserve was confirmed and both gates were open, whatever the cause
    -- (contract 18.14). It was changed last when its reserve was confirmed, or when it was armed.
    when p_gates_open
      and greatest(p_updated_at, p_execution_confirmed_at) < p_at - interval '5 minutes'
      then 'venue_unavailable'
    when not p_gates_open or (p_market).status is distinct from 'open' then 'waits'
  end
$$;

-- The same with the caps, for the statement that begins the sending. The caller holds the locks of
-- the customer and of the operator's total exposure. Sells do not count against caps, and simulated
-- orders have none.
create or replace function transmission_refusal(p_operator operators, p_customer customers,
  p_market known_market, p_order orders) returns text language plpgsql stable as $$
declare
  v_now timestamptz := clock_timestamp();
  v_refusal text := sending_refusal(p_operator.status, p_operator.trading_paused,
    p_operator.execution_confirmed and p_order.armed, p_operator.execution_confirmed_at,
    p_customer.status, p_market, p_order.status, p_order.updated_at, v_now);
begin
  if v_refusal is not null or p_order.action = 'sell' or p_order.simulated then
    return v_refusal;
  end if;
  if p_order.authorization_minor > p_operator.max_order_minor
    then return 'over_order_limit'; end if;
  if exposure_exceeded(p_operator, p_order.external_user_id, p_order.authorization_minor)
    then return 'over_tenant_exposure'; end if;
  return null;
end $$;

-- Checks each transition of a batch against the committed state and answers, in the order of the
-- commands, the code of the first check that fails, or null. `order_moved` and `position_changed`
-- ask the caller to decide again; the codes of transmission_refusal say why an order is not sent
-- now. The caller holds the locks of lock_move_rows, and passes the markets of the commands, or
-- null if none begins to be sent.
create or replace function move_refusals(p_operator_id text, p_orders order_row[],
  p_effects order_effects[], p_markets known_market[]) returns text[] language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_codes text[];
  v_place integer;
  v_command order_row;
  v_account operators;
  v_customer customers;
  v_recorded orders;
begin
  select array_agg(checked.code order by checked.number) into v_codes
  from (
    select command.ordinality as number, case
      when recorded.order_id is null then 'unknown_order'
      when recorded.version <> command.version then 'order_moved'
      -- an answer to an attempt that the books lost: the version may have been reached in another
      -- way since
      when command.attempt is null and command.attempt_state is not null
        and recorded.transmission_state <> 'unknown' then 'order_moved'
      when command.position_version is not null and (position.position_id is null
        or position.version <> command.position_version) then 'position_changed'
      end as code
    from unnest(p_orders, p_effects) with ordinality command
      -- laterals with a limit: a plan that was made on empty tables must stay a look-up of one row
      left join lateral (
        select placed.order_id, placed.version, placed.transmission_state from orders placed
        where placed.operator_id = coalesce(v_operator, command.operator_id)
          and placed.order_id = command.order_id
        order by placed.operator_id, placed.order_id limit 1) recorded on true
      left join lateral (
        select open.position_id, open.version from positions open
        where command.position_version is not null
          and open.operator_id = coalesce(v_operator, command.operator_id)
          and open.position_id = command.position_id and open.status = 'open' limit 1)
        position on true
  ) checked;

  -- further facts on which a sending depends
  for v_place in
    select command.ordinality from unnest(p_effects) with ordinality command
    where command.begins and command.adopts is not true and v_codes[command.ordinality] is null
  loop
    v_command := p_orders[v_place];
    select * into v_account from operators account
    where account.operator_id = v_command.operator_id;
    select * into v_customer from customers customer
    where customer.operator_id = coalesce(v_operator, v_command.operator_id)
      and customer.external_user_id = v_command.external_user_id;
    select * into v_recorded from orders placed
    where placed.operator_id = coalesce(v_operator, v_command.operator_id)
      and placed.order_id = v_command.order_id;
    v_codes[v_place] := transmission_refusal(v_account, v_customer, p_markets[v_place],
      v_recorded);
  end loop;
  return v_codes;
end $$;

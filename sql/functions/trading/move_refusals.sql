-- Why a transition of an order is refused, and why an order may not be sent now.

-- Whether an order is still unsent five minutes after its reserve was confirmed and both gates were
-- open, whatever the cause (contract 18.14). An order that waits was changed last when its reserve
-- was confirmed, or when it was armed.
create or replace function waited_too_long(p_status text, p_updated_at timestamptz,
  p_execution_confirmed_at timestamptz) returns boolean language sql stable as $$
  select p_status = 'pending_venue_execution'
    and greatest(p_updated_at, p_execution_confirmed_at) < clock_timestamp() - interval '5 minutes'
$$;

-- Why an order may not be sent now: `waits` while a gate is shut, a reason to withdraw the order
-- unsent, or a cap that it would exceed. Null if it may be sent. The caller holds the locks of the
-- customer and of the operator's total exposure. Sells do not count against caps, and simulated
-- orders have none.
create or replace function transmission_refusal(p_operator operators, p_customer customers,
  p_contract contracts, p_order orders) returns text language plpgsql stable as $$
begin
  if p_operator.status <> 'active' then return 'operator_suspended'; end if;
  if p_customer.status <> 'active' then return 'user_suspended'; end if;
  if p_contract.closes_at <= clock_timestamp() then return 'market_not_open'; end if;
  if p_contract.status not in ('open', 'paused') or p_contract.trading_closed
    then return 'market_not_open'; end if;
  if p_operator.trading_paused then return 'trading_paused'; end if;
  -- Our own pause withdraws (contract 19.7); a halt of the venue may end, and the order waits for
  -- it.
  if p_contract.operator_paused then return 'market_unavailable'; end if;
  if p_operator.execution_confirmed and p_order.armed
    and waited_too_long(p_order.status, p_order.updated_at, p_operator.execution_confirmed_at)
    then return 'venue_unavailable'; end if;
  if p_contract.status = 'paused' then return 'waits'; end if;
  if not p_operator.execution_confirmed or not p_order.armed then return 'waits'; end if;
  if p_order.action = 'sell' or p_order.simulated then return null; end if;
  if p_order.authorization_minor > p_operator.max_order_minor
    then return 'over_order_limit'; end if;
  if exposure_exceeded(p_operator, p_order.external_user_id, p_order.authorization_minor)
    then return 'over_tenant_exposure'; end if;
  return null;
end $$;

-- Checks each transition of a batch against the committed state and answers, in the order of the
-- commands, the code of the first check that fails, or null. `order_moved` and `position_changed`
-- ask the caller to decide again; the codes of transmission_refusal say why an order is not sent
-- now. The caller holds the locks of lock_move_rows. Runs under the planner settings of its caller.
create or replace function move_refusals(p_operator_id text, p_orders order_row[],
  p_effects order_effects[]) returns text[] language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_codes text[];
  v_place integer;
  v_command order_row;
  v_account operators;
  v_customer customers;
  v_contract contracts;
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

  -- what a sending is asked about beside, each row in a statement of its own: markets are not where
  -- the operators' rows are
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
    select * into v_contract from contracts listed
    where listed.contract_id = v_command.contract_id;
    select * into v_recorded from orders placed
    where placed.operator_id = coalesce(v_operator, v_command.operator_id)
      and placed.order_id = v_command.order_id;
    v_codes[v_place] := transmission_refusal(v_account, v_customer, v_contract, v_recorded);
  end loop;
  return v_codes;
end $$;

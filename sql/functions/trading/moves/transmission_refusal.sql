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

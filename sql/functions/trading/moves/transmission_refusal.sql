-- Why an order may not be sent now: a gate that is shut (`waits`: it stays where it is), a reason
-- to withdraw it unsent, or a cap that it would breach; null where it may go. Asked under the locks
-- of the customer and of the operator's exposure. Sells never count against caps, simulated orders
-- have none.
create or replace function transmission_refusal(o operators, k customers, m contracts, r orders) returns text language plpgsql stable as $$
begin
  if o.status <> 'active' then return 'operator_suspended'; end if;
  if k.status <> 'active' then return 'user_suspended'; end if;
  if m.closes_at <= clock_timestamp() then return 'market_not_open'; end if;
  if m.status not in ('open', 'paused') or m.trading_closed then return 'market_not_open'; end if;
  if o.trading_paused then return 'trading_paused'; end if;
  -- Our own pause withdraws (rulings 12); a halt of the venue may end, and the order waits for it.
  if m.operator_paused then return 'market_unavailable'; end if;
  if m.status = 'paused' then return 'waits'; end if;
  if not o.execution_confirmed or not r.armed then return 'waits'; end if;
  if r.action = 'sell' or r.simulated then return null; end if;
  if r.authorization_minor > o.max_order_minor then return 'over_order_limit'; end if;
  if exposure_exceeded(o, r.external_user_id, r.authorization_minor) then return 'over_tenant_exposure'; end if;
  return null;
end $$;

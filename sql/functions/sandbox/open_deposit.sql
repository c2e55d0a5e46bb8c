-- Opens a deposit that the test bridge will watch, and creates the customer on first use. Returns
-- false for a suspended customer and writes nothing for it.
create or replace function open_deposit(p_operator_id text, p_external_user_id text,
  p_deposit_id text, p_symbol text,
  p_chain_id bigint, p_address text, p_expires_at timestamptz)
returns boolean language plpgsql as $$
begin
  perform ensure_customer(p_operator_id, p_external_user_id);
  insert into sandbox_deposits (operator_id, deposit_id, external_user_id, symbol, chain_id,
    address, expires_at)
  select customer.operator_id, p_deposit_id, customer.external_user_id, p_symbol, p_chain_id,
    p_address, p_expires_at
  from customers customer where customer.operator_id = p_operator_id
    and customer.external_user_id = p_external_user_id and customer.status <> 'suspended';
  return found;
end $$;

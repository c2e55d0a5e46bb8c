-- Creates one customer on first use; for the write paths outside trading.
create or replace function ensure_customer(p_operator_id text, p_external_user_id text)
returns void language plpgsql as $$
begin
  perform hold_in_place(p_operator_id);
  perform create_customers(p_operator_id, array[p_operator_id], array[p_external_user_id]);
end $$;

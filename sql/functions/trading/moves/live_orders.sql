-- How many live buys were transmitted in the last 24 hours, of one customer or (null) of the whole
-- operator. They are not counted if there is no cap.
create or replace function live_orders(p_operator_id text, p_external_user_id text, p_cap integer)
returns bigint language plpgsql stable as $$
begin
  if p_cap is null then
    return 0;
  end if;
  return (select count(*) from orders
    where operator_id = p_operator_id
      and (p_external_user_id is null or external_user_id = p_external_user_id)
      and transmitted_at > now() - interval '24 hours' and action = 'buy' and not simulated);
end $$;

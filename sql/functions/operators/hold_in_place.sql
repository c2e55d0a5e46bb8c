-- The first statement of a money function. Where tenants are spread over servers (docs/scale.md), a
-- write is what waits for a move of the operator's rows to another server, and what the next move
-- waits for until the call has ended; this one changes no row. On one server a call is for many
-- operators ('') and it does nothing.
create or replace function hold_in_place(p_operator_id text) returns void language plpgsql as $$
begin
  if p_operator_id <> '' then
    update wallets set held = held where operator_id = p_operator_id and external_user_id = '';
  end if;
end $$;

-- A sandbox tester resolves one position: the request and its settlement in one statement; the
-- market does not change. An earlier request is looked for first, so that a repeated call gets the
-- first answer (contract 32.15). If contracts of the position are in an open sell, the request
-- waits; the same call again, or the periodic job, settles it when the sell has ended. Locks: the
-- customer first, as orders and settlements do.
create or replace function request_resolution(p_operator_id text, p_position_id text,
  p_resolution text)
returns table (code text, already_requested boolean, settled boolean, position_status text)
language plpgsql as $$
#variable_conflict use_column
declare
  v_held positions;
  v_earlier text;
begin
  perform 1 from customers customer
  where customer.operator_id = p_operator_id and customer.external_user_id =
    (select position.external_user_id from positions position
      where position.operator_id = p_operator_id and position.position_id = p_position_id)
  for no key update;
  if not found then
    return query select 'position_not_found', false, false, null::text;
    return;
  end if;
  select * into v_held from positions position
    where position.operator_id = p_operator_id and position.position_id = p_position_id;
  select request.resolution into v_earlier from sandbox_resolutions request
    where request.operator_id = p_operator_id and request.position_id = p_position_id;
  if v_earlier <> p_resolution then
    return query select 'resolution_conflict', true, false, v_held.status;
    return;
  end if;
  if v_earlier is null and v_held.status <> 'open' then
    return query select 'position_not_open', false, false, v_held.status;
    return;
  end if;

  if v_earlier is null then
    insert into sandbox_resolutions (operator_id, position_id, resolution) values (p_operator_id,
      p_position_id, p_resolution);
  end if;
  if v_held.status = 'open' then
    -- relative to the position's own side
    perform pay_positions(p_operator_id, array[p_position_id], case
      when p_resolution = 'VOID' then 'VOID'
      when (p_resolution = 'WIN') = (v_held.side = 'YES') then 'YES' else 'NO' end, null, false);
    select * into v_held from positions position
      where position.operator_id = p_operator_id and position.position_id = p_position_id;
  end if;
  update sandbox_resolutions request set waiting = false
  where request.operator_id = p_operator_id and request.position_id = p_position_id
    and request.waiting and v_held.status <> 'open';

  return query select null::text, v_earlier is not null, v_held.status = 'settled', v_held.status;
end $$;

-- A sandbox tester resolves one position: the request and its settlement in one statement, the market left alone. An earlier
-- request is looked for before anything else, so that a repeated call is answered as the first (rulings 11). A position with
-- contracts in an open sell keeps its request waiting; the same call again, or the sweep, settles it once the sell ended.
-- Locks: the customer first, as orders and settlements do.
create or replace function request_resolution(p_operator_id text, p_position_id text, p_resolution text)
returns table (code text, already_requested boolean, settled boolean, position_status text) language plpgsql as $$
#variable_conflict use_column
declare
  held positions;
  earlier text;
begin
  perform 1 from customers k
  where k.operator_id = p_operator_id and k.external_user_id =
    (select p.external_user_id from positions p where p.operator_id = p_operator_id and p.position_id = p_position_id)
  for no key update;
  if not found then
    return query select 'position_not_found', false, false, null::text;
    return;
  end if;
  select * into held from positions p where p.operator_id = p_operator_id and p.position_id = p_position_id;
  select r.resolution into earlier from sandbox_resolutions r where r.operator_id = p_operator_id and r.position_id = p_position_id;
  if earlier <> p_resolution then
    return query select 'resolution_conflict', true, false, held.status;
    return;
  end if;
  if earlier is null and held.status <> 'open' then
    return query select 'position_not_open', false, false, held.status;
    return;
  end if;

  if earlier is null then
    insert into sandbox_resolutions (operator_id, position_id, resolution) values (p_operator_id, p_position_id, p_resolution);
  end if;
  if held.status = 'open' then
    -- relative to the position's own side
    perform pay_positions(p_operator_id, array[p_position_id], case
      when p_resolution = 'VOID' then 'VOID'
      when (p_resolution = 'WIN') = (held.side = 'YES') then 'YES' else 'NO' end, null, false);
    select * into held from positions p where p.operator_id = p_operator_id and p.position_id = p_position_id;
  end if;
  update sandbox_resolutions r set waiting = false
  where r.operator_id = p_operator_id and r.position_id = p_position_id and r.waiting and held.status <> 'open';

  return query select null::text, earlier is not null, held.status = 'settled', held.status;
end $$;

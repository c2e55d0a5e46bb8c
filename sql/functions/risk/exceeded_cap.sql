-- Which cap a live buy of this authorization would exceed: on exposure or on live orders in 24
-- hours, of the customer or overall (contract 20.5). Null if none. Without a
-- lock it is a first look; the sending asks again under the locks.
create or replace function exceeded_cap(p_operator operators, p_external_user_id text,
  p_authorization bigint) returns text language plpgsql stable as $$
declare
  v_player_minor bigint;
  v_total_minor bigint;
begin
  if p_operator.player_exposure_minor is not null or p_operator.total_exposure_minor is not null
    then
    select coalesce(sum(exposure.exposure_minor) filter (where exposure.external_user_id <> ''), 0),
      coalesce(sum(exposure.exposure_minor) filter (where exposure.external_user_id = ''), 0)
    into v_player_minor, v_total_minor
    from exposures exposure where exposure.operator_id = p_operator.operator_id
      and exposure.external_user_id in (p_external_user_id, '');
    if v_player_minor + p_authorization > p_operator.player_exposure_minor
      then return 'player_exposure'; end if;
    if v_total_minor + p_authorization > p_operator.total_exposure_minor
      then return 'total_exposure'; end if;
  end if;
  -- most operators have no such caps, and two calls that only find that out cost more than asking
  if p_operator.player_orders is not null and live_orders(p_operator.operator_id,
      p_external_user_id, p_operator.player_orders) >= p_operator.player_orders
    then return 'player_orders'; end if;
  if p_operator.total_orders is not null and live_orders(p_operator.operator_id, null,
      p_operator.total_orders) >= p_operator.total_orders
    then return 'total_orders'; end if;
  return null;
end $$;

-- The same for an operator by its id.
create or replace function exceeded_cap_of(p_operator_id text, p_external_user_id text,
  p_authorization bigint) returns text language plpgsql stable as $$
declare
  v_operator operators;
begin
  select * into v_operator from operators operator where operator.operator_id = p_operator_id;
  return exceeded_cap(v_operator, p_external_user_id, p_authorization);
end $$;

-- Which cap on exposure or on live orders in 24 hours a live buy of this authorization would breach, of the player or overall
-- (specification "Order safety limits"); null if none. Without a lock it is a first look; the job asks again under one.
create or replace function exceeded_cap(o operators, p_external_user_id text, p_authorization bigint) returns text language plpgsql stable as $$
declare
  player_minor bigint;
  total_minor bigint;
begin
  if o.player_exposure_minor is not null or o.total_exposure_minor is not null then
    select coalesce(sum(e.exposure_minor) filter (where e.external_user_id <> ''), 0),
      coalesce(sum(e.exposure_minor) filter (where e.external_user_id = ''), 0)
    into player_minor, total_minor
    from exposures e where e.operator_id = o.operator_id and e.external_user_id in (p_external_user_id, '');
    if player_minor + p_authorization > o.player_exposure_minor then return 'player_exposure'; end if;
    if total_minor + p_authorization > o.total_exposure_minor then return 'total_exposure'; end if;
  end if;
  if live_orders(o.operator_id, p_external_user_id, o.player_orders) >= o.player_orders then return 'player_orders'; end if;
  if live_orders(o.operator_id, null, o.total_orders) >= o.total_orders then return 'total_orders'; end if;
  return null;
end $$;

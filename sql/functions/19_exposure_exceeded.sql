-- Whether a live buy of this authorization would breach a cap on exposure or on live orders in 24 hours, of the player or
-- overall (specification "Order safety limits"). Without a lock it is a first look; the job asks again under one.
create or replace function exposure_exceeded(o operators, p_external_user_id text, p_authorization bigint) returns boolean language plpgsql stable as $$
declare
  player_minor bigint;
  total_minor bigint;
begin
  if o.player_exposure_minor is not null or o.total_exposure_minor is not null then
    select coalesce(sum(e.exposure_minor) filter (where e.external_user_id <> ''), 0),
      coalesce(sum(e.exposure_minor) filter (where e.external_user_id = ''), 0)
    into player_minor, total_minor
    from exposures e where e.operator_id = o.operator_id and e.external_user_id in (p_external_user_id, '');
    if player_minor + p_authorization > o.player_exposure_minor or total_minor + p_authorization > o.total_exposure_minor then
      return true;
    end if;
  end if;
  return coalesce(live_orders(o.operator_id, p_external_user_id, o.player_orders) >= o.player_orders, false)
    or coalesce(live_orders(o.operator_id, null, o.total_orders) >= o.total_orders, false);
end $$;

-- Which of the transmissions that begin in one batch would breach their operator's overall cap on exposure or on live orders in
-- 24 hours. They are added up in their order, so that all that fit go out together, and one that does not fit leaves what there
-- is to the next. The caller holds the lock on the operators' total exposure. A batch has one order of a customer at most, so
-- the caps of a player need no adding up: transmission_refusal looks at them one by one.
create or replace function over_total_caps(p_numbers integer[], p_operator_ids text[], p_amounts bigint[]) returns integer[] language plpgsql stable
set enable_seqscan = off as $$
declare
  x record;
  operator text;
  exposure bigint;
  sent bigint;
  over integer[] := '{}';
begin
  for x in
    select u.number, u.operator_id, u.amount, o.total_exposure_minor, o.total_orders
    from unnest(p_numbers, p_operator_ids, p_amounts) as u(number, operator_id, amount) join operators o on o.operator_id = u.operator_id
    where o.total_exposure_minor is not null or o.total_orders is not null
    order by u.operator_id, u.number
  loop
    if operator is distinct from x.operator_id then
      operator := x.operator_id;
      exposure := coalesce((select e.exposure_minor from exposures e where e.operator_id = operator and e.external_user_id = ''), 0);
      sent := live_orders(operator, null, x.total_orders);
    end if;
    if exposure + x.amount > x.total_exposure_minor or sent >= x.total_orders then
      over := over || x.number;
    else
      exposure := exposure + x.amount;
      sent := sent + 1;
    end if;
  end loop;
  return over;
end $$;

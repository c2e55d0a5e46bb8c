-- Which transmissions of a batch would exceed their operator's overall cap on exposure or on live
-- orders in 24 hours. They are added up in the order of their numbers; one that does not fit leaves
-- its room to the next. The caller holds the lock on the operators' total exposure. A batch has at
-- most one order of a customer, so the caps of a customer need no adding up: transmission_refusal
-- checks them one by one.
create or replace function over_total_caps(p_numbers integer[], p_operator_ids text[],
  p_amounts bigint[]) returns integer[] language plpgsql stable
-- By index only: a plan that was made on small tables must not scan them when they have grown.
set enable_seqscan = off as $$
declare
  v_order record;
  v_operator text;
  v_exposure bigint;
  v_sent bigint;
  v_over integer[] := '{}';
begin
  for v_order in
    select sent.number, sent.operator_id, sent.amount, operator.total_exposure_minor,
      operator.total_orders
    from unnest(p_numbers, p_operator_ids, p_amounts) as sent(number, operator_id, amount)
      join operators operator on operator.operator_id = sent.operator_id
    where operator.total_exposure_minor is not null or operator.total_orders is not null
    order by sent.operator_id, sent.number
  loop
    if v_operator is distinct from v_order.operator_id then
      v_operator := v_order.operator_id;
      v_exposure := coalesce((select exposure.exposure_minor from exposures exposure
        where exposure.operator_id = v_operator and exposure.external_user_id = ''), 0);
      v_sent := live_orders(v_operator, null, v_order.total_orders);
    end if;
    if v_exposure + v_order.amount > v_order.total_exposure_minor or v_sent >= v_order.total_orders
      then
      v_over := v_over || v_order.number;
    else
      v_exposure := v_exposure + v_order.amount;
      v_sent := v_sent + 1;
    end if;
  end loop;
  return v_over;
end $$;

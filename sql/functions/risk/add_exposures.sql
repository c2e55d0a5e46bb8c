-- Adds to the running exposure of customers and of their operators. Locks: the customers' rows
-- first, then the operators' totals, each kind in one global order. A total that would fall below
-- zero was wrong before; it stops at zero, because no payment may wait for it.
create or replace function add_exposures(p_operator_id text, p_operator_ids text[],
  p_external_user_ids text[], p_amounts bigint[]) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  insert into exposures as exposure (operator_id, external_user_id, exposure_minor)
  select change.operator_id, change.external_user_id, 0 from (
      select distinct change.operator_id, owner.external_user_id
      from unnest(p_operator_ids, p_external_user_ids, p_amounts)
        as change(operator_id, external_user_id, amount)
        cross join lateral (values (change.external_user_id), ('')) owner(external_user_id)
      where change.amount <> 0) change
  order by change.external_user_id = '', change.operator_id, change.external_user_id
  on conflict do nothing;
  update exposures exposure
  set exposure_minor = greatest(0, exposure.exposure_minor + change.amount)
  from (select change.operator_id, change.external_user_id, sum(change.amount)::bigint as amount
        from unnest(p_operator_ids, p_external_user_ids, p_amounts)
          as change(operator_id, external_user_id, amount)
        where change.amount <> 0 group by 1, 2) change
  where exposure.operator_id = coalesce(v_operator, change.operator_id)
    and exposure.external_user_id = change.external_user_id;
  update exposures exposure
  set exposure_minor = greatest(0, exposure.exposure_minor + change.amount)
  from (select change.operator_id, sum(change.amount)::bigint as amount
        from unnest(p_operator_ids, p_external_user_ids, p_amounts)
          as change(operator_id, external_user_id, amount)
        where change.amount <> 0 group by 1) change
  where exposure.operator_id = coalesce(v_operator, change.operator_id)
    and exposure.external_user_id = '';
end $$;

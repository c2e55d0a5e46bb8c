-- Adds to the running exposure of players and of their operators: players first, the operators' totals last, each in order.
create or replace function add_exposures(p_operator_ids text[], p_external_user_ids text[], p_amounts bigint[]) returns void language plpgsql as $$
begin
  insert into exposures as e (operator_id, external_user_id, exposure_minor)
  select x.operator_id, x.external_user_id, 0 from (
      select distinct a.operator_id, u.external_user_id
      from unnest(p_operator_ids, p_external_user_ids, p_amounts) as a(operator_id, external_user_id, amount)
        cross join lateral (values (a.external_user_id), ('')) u(external_user_id)
      where a.amount <> 0) x
  order by x.external_user_id = '', x.operator_id, x.external_user_id
  on conflict do nothing;
  update exposures e set exposure_minor = e.exposure_minor + x.amount
  from (select a.operator_id, a.external_user_id, sum(a.amount)::bigint as amount
        from unnest(p_operator_ids, p_external_user_ids, p_amounts) as a(operator_id, external_user_id, amount)
        where a.amount <> 0 group by 1, 2) x
  where e.operator_id = x.operator_id and e.external_user_id = x.external_user_id;
  update exposures e set exposure_minor = e.exposure_minor + x.amount
  from (select a.operator_id, sum(a.amount)::bigint as amount
        from unnest(p_operator_ids, p_external_user_ids, p_amounts) as a(operator_id, external_user_id, amount)
        where a.amount <> 0 group by 1) x
  where e.operator_id = x.operator_id and e.external_user_id = '';
end $$;

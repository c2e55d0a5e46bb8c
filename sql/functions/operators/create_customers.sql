-- Creates customers on first use, in one global order. A customer of a sandbox operator is given the simulated wallet with
-- 10,000.00 by this same statement (rulings 5). Existing customers are passed over without a lock.
create or replace function create_customers(p_operator_ids text[], p_external_user_ids text[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  missing boolean;
  made_operators text[];
  made_users text[];
begin
  select exists (
    select 1 from unnest(p_operator_ids, p_external_user_ids) as x(operator_id, external_user_id)
    where not exists (select 1 from customers c where c.operator_id = x.operator_id and c.external_user_id = x.external_user_id)
  ) into missing;
  if not missing then
    return;
  end if;
  -- A statement of its own: joined to operators, the inserting function would not even run where no operator is a sandbox.
  select array_agg(i.operator_id), array_agg(i.external_user_id) into made_operators, made_users
  from insert_customers(p_operator_ids, p_external_user_ids) i;
  perform record_facts(array_agg(credit_wallet_fact(made.n::integer, made.operator_id, made.external_user_id, 1000000,
    'Opening test funds', 'customer', made.external_user_id)))
  from unnest(made_operators, made_users) with ordinality as made(operator_id, external_user_id, n)
    join operators o on o.operator_id = made.operator_id and o.mode = 'sandbox';
end $$;

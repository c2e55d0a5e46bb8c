-- Creates customers on first use, in one global order. A customer of a sandbox operator receives
-- the simulated wallet with 10,000.00 in the same statement (contract 32.2). Existing customers are
-- skipped without a lock.
create or replace function create_customers(p_operator_ids text[], p_external_user_ids text[])
returns void language plpgsql
-- One plan for all calls, because planning costs more than running it, and look-ups by key only:
-- see place_orders.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
declare
  v_missing boolean;
  v_made_operators text[];
  v_made_users text[];
begin
  select exists (
    select 1 from unnest(p_operator_ids, p_external_user_ids)
      as wanted(operator_id, external_user_id)
    where not exists (select 1 from customers customer
      where customer.operator_id = wanted.operator_id
      and customer.external_user_id = wanted.external_user_id)
  ) into v_missing;
  if not v_missing then
    return;
  end if;
  -- A statement of its own: joined to operators, the inserting function would not even run where no
  -- operator is a sandbox.
  select array_agg(inserted.operator_id),
    array_agg(inserted.external_user_id) into v_made_operators, v_made_users
  from insert_customers(p_operator_ids, p_external_user_ids) inserted;
  -- a sandbox's customers have a wallet
  with opened as (
    insert into wallets (operator_id, external_user_id)
    select made.operator_id, made.external_user_id
    from unnest(v_made_operators, v_made_users) as made(operator_id, external_user_id)
      join operators operator on operator.operator_id = made.operator_id
        and operator.mode = 'sandbox'
    order by 1, 2
    returning operator_id, external_user_id
  )
  select array_agg(opened.operator_id), array_agg(opened.external_user_id)
  into v_made_operators, v_made_users from opened;
  perform credit_wallets(v_made_operators, v_made_users,
    array_fill(1000000::bigint, array[cardinality(v_made_users)]), 'Opening test funds')
  where v_made_users is not null;
end $$;

-- Inserts the customers that are missing, sorted, and returns those that this call created. Part of
-- create_customers.
create or replace function insert_customers(p_operator_ids text[], p_external_user_ids text[])
returns table (operator_id text, external_user_id text) language sql volatile as $$
  insert into customers (operator_id, external_user_id)
  select distinct wanted.operator_id, wanted.external_user_id
  from unnest(p_operator_ids, p_external_user_ids) as wanted(operator_id, external_user_id)
  order by 1, 2
  on conflict do nothing
  returning operator_id::text, external_user_id
$$;

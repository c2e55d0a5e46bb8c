-- Creates customers on first use, with the wallet of a sandbox.

-- The first statement of a money function. If tenants are spread over servers (docs/scale.md), only
-- a write waits for a move of the operator's rows to another server, and only a write makes the
-- next move wait until the call has ended; this one changes no row. On one server a call is for
-- many operators ('') and it does nothing.
create or replace function hold_in_place(p_operator_id text) returns void language plpgsql as $$
begin
  if p_operator_id <> '' then
    update wallets set held = held where operator_id = p_operator_id and external_user_id = '';
  end if;
end $$;

-- Creates customers on first use, in one global order. A customer of a sandbox operator receives
-- the simulated wallet with 10,000.00 in the same statement (contract 32.2). Existing customers are
-- skipped without a lock.
create or replace function create_customers(p_operator_id text, p_operator_ids text[],
  p_external_user_ids text[]) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_made record;
  v_missing boolean;
  v_operators text[] := '{}';
  v_users text[] := '{}';
begin
  select exists (
    select 1 from unnest(p_operator_ids, p_external_user_ids)
        as wanted(operator_id, external_user_id)
      left join customers customer
        on customer.operator_id = coalesce(v_operator, wanted.operator_id)
        and customer.external_user_id = wanted.external_user_id
    where customer.operator_id is null
  ) into v_missing;
  if not v_missing then
    return;
  end if;
  for v_made in
    insert into customers (operator_id, external_user_id)
    select distinct wanted.operator_id, wanted.external_user_id
    from unnest(p_operator_ids, p_external_user_ids) as wanted(operator_id, external_user_id)
    order by 1, 2
    on conflict do nothing
    returning operator_id, external_user_id
  loop
    v_operators := v_operators || v_made.operator_id::text;
    v_users := v_users || v_made.external_user_id;
  end loop;
  -- a sandbox's customers have a wallet
  select array_agg(made.operator_id order by made.operator_id, made.external_user_id),
    array_agg(made.external_user_id order by made.operator_id, made.external_user_id)
  into v_operators, v_users
  from unnest(v_operators, v_users) as made(operator_id, external_user_id)
    join operators operator on operator.operator_id = made.operator_id
      and operator.mode = 'sandbox';
  if v_users is null then
    return;
  end if;
  insert into wallets (operator_id, external_user_id)
  select made.operator_id, made.external_user_id
  from unnest(v_operators, v_users) as made(operator_id, external_user_id);
  perform credit_wallets(p_operator_id, v_operators, v_users,
    array_fill(1000000::bigint, array[cardinality(v_users)]), 'Opening test funds');
end $$;

-- Creates one customer on first use; for the write paths outside trading.
create or replace function ensure_customer(p_operator_id text, p_external_user_id text)
returns void language plpgsql as $$
begin
  perform hold_in_place(p_operator_id);
  perform create_customers(p_operator_id, array[p_operator_id], array[p_external_user_id]);
end $$;

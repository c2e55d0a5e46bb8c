-- Settles positions of one operator at the resolutions of their contracts. The resolution is read
-- here, under a lock on the contract that a resolve or reopen waits for, so the payment is always
-- of the result in force when it is written. Positions of contracts without a resolution are
-- skipped. Locks: the customers in order, as an order does, the contracts, the operator's total
-- exposure, and in pay_positions the counter. Returns the settled positions.
create or replace function settle_positions(p_operator_id text, p_position_ids text[])
returns table (position_id text, settlement_id text) language plpgsql
-- One plan for all calls, because planning costs more than running it, and look-ups by key only:
-- see place_orders.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_contract_ids text[];
  v_result record;
begin
  perform hold_in_place(p_operator_id);
  -- one look-up each, here and below: on plans made over few rows a batch walked through all of the
  -- operator's positions
  perform 1 from customers customer
  where customer.operator_id = p_operator_id
    and customer.external_user_id = any (array(
      select position.external_user_id from unnest(p_position_ids) given(id) cross join lateral (
        select position.external_user_id from positions position
          where position.operator_id = p_operator_id
          and position.position_id = given.id limit 1) position))
  order by customer.external_user_id for no key update;
  select array_agg(position.contract_id order by given.n) into v_contract_ids
  from unnest(p_position_ids) with ordinality given(id, n) left join lateral (
    select position.contract_id from positions position
      where position.operator_id = p_operator_id
      and position.position_id = given.id limit 1) position on true;
  perform 1 from contracts contract where contract.contract_id = any (v_contract_ids)
    order by contract.contract_id for share;
  -- before the first payment takes the counter: a second resolution among the positions must not
  -- ask for it afterwards
  perform 1 from exposures exposure where exposure.operator_id = p_operator_id
    and exposure.external_user_id = '' for update;

  for v_result in
    select contract.resolution, contract.split_yes_micros, array_agg(given.id) as ids
    from unnest(p_position_ids, v_contract_ids) given(id, contract_id)
      join contracts contract on contract.contract_id = given.contract_id
    where contract.resolution is not null
    group by contract.resolution, contract.split_yes_micros
  loop
    return query select paid.position_id, paid.settlement_id
      from pay_positions(p_operator_id, v_result.ids, v_result.resolution,
        v_result.split_yes_micros, true) paid;
  end loop;
end $$;

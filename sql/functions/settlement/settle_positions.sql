-- Settles positions of one operator at what their contracts resolve to. The resolution is read here, under a lock on the
-- contract that whoever resolves or reopens it waits for, so a payment is always of the result that holds when it is written;
-- positions of contracts that are not resolved are skipped. Locks: the customers, in order, as an order does, then the
-- contracts, the operator's exposure, and in pay_positions the counter. Returns the settled positions.
create or replace function settle_positions(p_operator_id text, p_position_ids text[])
returns table (position_id text, settlement_id text) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  contract_ids text[];
  x record;
begin
  -- one look-up each, here and below: on plans made over few rows a batch walked through all of the operator's positions
  perform 1 from customers k
  where k.operator_id = p_operator_id
    and k.external_user_id = any (array(
      select p.external_user_id from unnest(p_position_ids) i(id) cross join lateral (
        select p.external_user_id from positions p where p.operator_id = p_operator_id and p.position_id = i.id limit 1) p))
  order by k.external_user_id for no key update;
  select array_agg(p.contract_id order by i.n) into contract_ids
  from unnest(p_position_ids) with ordinality i(id, n) left join lateral (
    select p.contract_id from positions p where p.operator_id = p_operator_id and p.position_id = i.id limit 1) p on true;
  perform 1 from contracts c where c.contract_id = any (contract_ids) order by c.contract_id for share;
  -- before the first payment takes the counter: a second resolution among the positions must not ask for it afterwards
  perform 1 from exposures e where e.operator_id = p_operator_id and e.external_user_id = '' for update;

  for x in
    select c.resolution, c.split_yes_micros, array_agg(i.id) as ids
    from unnest(p_position_ids, contract_ids) i(id, contract_id) join contracts c on c.contract_id = i.contract_id
    where c.resolution is not null
    group by c.resolution, c.split_yes_micros
  loop
    return query select y.position_id, y.settlement_id
      from pay_positions(p_operator_id, x.ids, x.resolution, x.split_yes_micros, true) y;
  end loop;
end $$;

-- Checks each move of a batch against the committed state and answers, in the order of the moves,
-- the code of the first check that fails, or null. `order_moved` and `position_changed` ask the
-- caller to decide again; the codes of transmission_refusal say why an order is not sent now. The
-- caller holds the locks of lock_move_rows. Runs under the planner settings of its caller.
create or replace function move_refusals(p_moves order_move[]) returns text[] language plpgsql as $$
declare
  v_codes text[];
begin
  select array_agg(checked.code order by checked.number) into v_codes
  from (
    select move.number, case
      when order_row.order_id is null then 'unknown_order'
      when order_row.version <> move.expected_version then 'order_moved'
      -- an answer to an attempt that the books lost: the version may have been reached in another
      -- way since
      when move.attempt is null and move.attempt_state is not null
        and order_row.transmission_state <> 'unknown' then 'order_moved'
      when move.position_version is not null and (position.position_id is null
        or position.version <> move.position_version) then 'position_changed'
      when move.begins and move.adopts is not true
        then transmission_refusal(operator, customer, contract, order_row)
      end as code
    from unnest(p_moves) move
      join operators operator on operator.operator_id = move.operator_id
      left join orders order_row on order_row.operator_id = move.operator_id
        and order_row.order_id = move.order_id
      left join customers customer on customer.operator_id = move.operator_id
        and customer.external_user_id = move.external_user_id
      left join contracts contract on contract.contract_id = order_row.contract_id
      -- a lateral with a limit: a plan that was made on empty tables must stay a look-up of one row
      left join lateral (
        select open.position_id, open.version from positions open
        where move.position_version is not null and open.operator_id = move.operator_id
          and open.position_id = move.position_id and open.status = 'open' limit 1)
        position on true
  ) checked;
  return v_codes;
end $$;

-- Which commands of a batch the available collateral of their operators does not cover. They are
-- subtracted in the order of their numbers; one that does not fit leaves its room to the next.
-- Balances may still fall until the counters are locked; the constraint on balances then refuses
-- the whole statement, and the caller repeats it.
create or replace function short_of_collateral(p_numbers integer[], p_operator_ids text[],
  p_amounts bigint[]) returns integer[] language plpgsql stable
-- By index only: a plan that was made on small tables must not scan them when they have grown.
set enable_seqscan = off as $$
declare
  v_command record;
  v_operator text;
  v_available bigint;
  v_short integer[] := '{}';
begin
  for v_command in
    select wanted.number, wanted.operator_id, wanted.amount
      from unnest(p_numbers, p_operator_ids, p_amounts) as wanted(number, operator_id, amount)
    where wanted.amount > 0 order by wanted.operator_id, wanted.number
  loop
    if v_operator is distinct from v_command.operator_id then
      v_operator := v_command.operator_id;
      v_available := (select -ledger.collateral_available from operator_ledgers ledger
        where ledger.operator_id = v_operator);
    end if;
    if v_command.amount > v_available then
      v_short := v_short || v_command.number;
    else
      v_available := v_available - v_command.amount;
    end if;
  end loop;
  return v_short;
end $$;

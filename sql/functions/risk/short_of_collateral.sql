-- Which of the commands of a batch the operators' available collateral does not cover: taken one by one in their order, so
-- that one which does not fit leaves what there is to the next. Balances may still fall until the counters are locked; the
-- constraint on them then refuses the statement as a whole, and the caller asks it again.
create or replace function short_of_collateral(p_numbers integer[], p_operator_ids text[], p_amounts bigint[]) returns integer[] language plpgsql stable
set enable_seqscan = off as $$
declare
  x record;
  operator text;
  available bigint;
  short integer[] := '{}';
begin
  for x in
    select u.number, u.operator_id, u.amount from unnest(p_numbers, p_operator_ids, p_amounts) as u(number, operator_id, amount)
    where u.amount > 0 order by u.operator_id, u.number
  loop
    if operator is distinct from x.operator_id then
      operator := x.operator_id;
      available := coalesce((select -a.balance from account_balances a where a.operator_id = operator and a.account_id = 'collateral:available'), 0);
    end if;
    if x.amount > available then
      short := short || x.number;
    else
      available := available - x.amount;
    end if;
  end loop;
  return short;
end $$;

-- One pass over an operator's ledger lines: what each account held at a position and what moved since. `weighted` sums
-- amounts by a number of their entry, so that it is zero over all accounts only if every single entry balances.
create or replace function account_sums(p_operator_id text, p_base bigint)
returns table (account_id text, opening numeric, debits numeric, credits numeric, total numeric, weighted numeric, lines bigint, firsts bigint, places numeric)
language sql stable parallel safe as $$
  select l.account_id, coalesce(sum(l.amount) filter (where l.position <= p_base), 0),
    coalesce(sum(l.amount) filter (where l.amount > 0 and l.position > p_base), 0),
    coalesce(-sum(l.amount) filter (where l.amount < 0 and l.position > p_base), 0),
    sum(l.amount), sum(l.amount * (l.position % 65521)), count(*) filter (where l.position > p_base),
    count(*) filter (where l.line_no = 1), coalesce(sum(l.position) filter (where l.line_no = 1), 0)
  from ledger_lines l where l.operator_id = p_operator_id
  group by l.account_id
$$;

-- One pass over an operator's ledger lines: what each account held at a position and what moved since. `weighted` sums
-- amounts by a number of their entry, so that it is zero over all accounts only if every single entry balances. From the
-- beginning there is nothing to tell apart, which halves the cost of the pass.
create or replace function account_sums(p_operator_id text, p_base bigint)
returns table (account_id text, opening numeric, debits numeric, credits numeric, total numeric, weighted numeric, lines bigint, firsts bigint)
language plpgsql stable parallel safe as $$
begin
  if p_base = 0 then
    return query
      select s.account_id, 0::numeric, s.debits, s.debits - s.total, s.total, s.weighted, s.lines, s.firsts
      from (select l.account_id, coalesce(sum(l.amount) filter (where l.amount > 0), 0) as debits, sum(l.amount) as total,
              sum(l.amount * (l.position % 65521)) as weighted, count(*) as lines, count(*) filter (where l.line_no = 1) as firsts
            from ledger_lines l where l.operator_id = p_operator_id group by l.account_id) s;
  else
    return query
      select l.account_id, coalesce(sum(l.amount) filter (where l.position <= p_base), 0),
        coalesce(sum(l.amount) filter (where l.amount > 0 and l.position > p_base), 0),
        coalesce(-sum(l.amount) filter (where l.amount < 0 and l.position > p_base), 0),
        sum(l.amount), sum(l.amount * (l.position % 65521)), count(*) filter (where l.position > p_base), count(*) filter (where l.line_no = 1)
      from ledger_lines l where l.operator_id = p_operator_id group by l.account_id;
  end if;
end $$;

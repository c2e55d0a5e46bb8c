-- The lines of an operator with what sums over accounts need of them, read in one scan of the
-- entries.
create or replace function summed_lines(p_operator_id text)
returns table (place bigint, account_id text, amount bigint, first boolean)
language sql stable parallel safe as $$
  select position, unnest(account_ids) collate "C", unnest(amounts),
    generate_subscripts(amounts, 1) = 1
  from ledger_entries where operator_id = p_operator_id
$$;

-- One scan of an operator's ledger lines: what each account held at a position and what moved
-- since. `weighted` sums amounts by a number of their entry, so that it is zero over all accounts
-- only if every single entry balances. From the beginning there is nothing to tell apart, which
-- halves the cost of the pass.
create or replace function account_sums(p_operator_id text, p_base bigint)
returns table (account_id text, opening numeric, debits numeric, credits numeric, total numeric,
  weighted numeric, lines bigint, firsts bigint)
language plpgsql stable parallel safe as $$
begin
  if p_base = 0 then
    return query
      select summed.account_id, 0::numeric, summed.debits, summed.debits - summed.total,
        summed.total, summed.weighted, summed.lines, summed.firsts
      from (select line.account_id, coalesce(sum(line.amount) filter (where line.amount > 0), 0)
        as debits, sum(line.amount) as total, sum(line.amount * (line.place % 65521)) as weighted,
          count(*) as lines, count(*) filter (where line.first) as firsts
        from summed_lines(p_operator_id) line group by line.account_id) summed;
  else
    return query
      select line.account_id, coalesce(sum(line.amount) filter (where line.place <= p_base), 0),
        coalesce(sum(line.amount) filter (where line.amount > 0 and line.place > p_base), 0),
        coalesce(-sum(line.amount) filter (where line.amount < 0 and line.place > p_base), 0),
        sum(line.amount), sum(line.amount * (line.place % 65521)), count(*)
          filter (where line.place > p_base), count(*) filter (where line.first)
      from summed_lines(p_operator_id) line group by line.account_id;
  end if;
end $$;

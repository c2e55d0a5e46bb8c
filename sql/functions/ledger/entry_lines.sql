-- The lines of an entry, in the order of their numbers: those inside its row, or, of an entry from
-- before they were kept there (migration 0061), the rows of their own. The entry's columns come one
-- by one, so that PostgreSQL inlines the function where it is used beside the entry.
create or replace function entry_lines(p_operator_id text, p_position bigint, p_account_ids text[],
  p_amounts bigint[], p_balances_after bigint[])
returns table (line_no smallint, account_id text, amount bigint, balance_after bigint)
language sql stable parallel safe as $$
  select generate_subscripts(p_amounts, 1)::smallint, unnest(p_account_ids) collate "C",
    unnest(p_amounts), unnest(p_balances_after)
  union all
  (select line.line_no, line.account_id, line.amount, line.balance_after
  from ledger_line_rows line
  where p_amounts is null and line.operator_id = p_operator_id and line.position = p_position
  order by line.line_no)
$$;

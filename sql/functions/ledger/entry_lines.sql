-- The lines of an entry, in the order of their numbers: those inside its row, or, of an entry from
-- before they were kept there (migration 0061), the rows of their own. The entry's columns come
-- one by one, so that PostgreSQL inlines the function where it is used beside the entry. The
-- look-ups of rows run only for entries that have some; in a union they would start for each one.
create or replace function entry_lines(p_operator_id text, p_position bigint, p_account_ids text[],
  p_amounts bigint[], p_balances_after bigint[])
returns table (line_no smallint, account_id text, amount bigint, balance_after bigint)
language sql stable parallel safe as $$
  select
    generate_subscripts(coalesce(p_amounts,
      (select array_agg(line.amount order by line.line_no) from ledger_line_rows line
      where line.operator_id = p_operator_id and line.position = p_position)), 1)::smallint,
    unnest(coalesce(p_account_ids,
      (select array_agg(line.account_id order by line.line_no) from ledger_line_rows line
      where line.operator_id = p_operator_id and line.position = p_position))) collate "C",
    unnest(coalesce(p_amounts,
      (select array_agg(line.amount order by line.line_no) from ledger_line_rows line
      where line.operator_id = p_operator_id and line.position = p_position))),
    unnest(coalesce(p_balances_after,
      (select array_agg(line.balance_after order by line.line_no) from ledger_line_rows line
      where line.operator_id = p_operator_id and line.position = p_position)))
$$;

-- The lines of an entry, in the order of their numbers. Its columns come one by one, so that
-- PostgreSQL inlines the function where it is used beside the entry.
create or replace function entry_lines(p_account_ids text[], p_amounts bigint[],
  p_balances_after bigint[])
returns table (line_no smallint, account_id text, amount bigint, balance_after bigint)
language sql stable parallel safe as $$
  select generate_subscripts(p_amounts, 1)::smallint, unnest(p_account_ids) collate "C",
    unnest(p_amounts), unnest(p_balances_after)
$$;

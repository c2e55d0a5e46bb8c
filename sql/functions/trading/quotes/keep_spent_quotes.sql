-- Copies the quotes of one week that an order spent into kept_quotes, for good. Repeating it copies
-- nothing. Quotes of operators that another cell holds are there. The bounds are written into the
-- statement, so that it reads only the partition of that week.
create or replace function keep_spent_quotes(p_week timestamptz)
returns bigint language plpgsql as $$
declare
  v_kept bigint;
begin
  execute format('insert into kept_quotes select * from quotes
    where quote_id >= %L and quote_id < %L and spent_by is not null
      and operator_id <> all ((select operators_at_rest())::text[])
    on conflict do nothing',
    quote_id_at(p_week), quote_id_at(p_week + interval '7 days'));
  get diagnostics v_kept = row_count;
  return v_kept;
end $$;

-- Copies the quotes of one week that an order spent into kept_quotes, for good: the columns of the
-- quote and the order. Repeating it copies nothing. The bounds are written into the statement, so
-- that it reads only the partition of that week.
create or replace function keep_spent_quotes(p_week timestamptz)
returns bigint language plpgsql as $$
declare
  v_kept bigint;
begin
  execute format('insert into kept_quotes select quote.*, spender.order_id
    from quotes quote join orders spender on spender.operator_id = quote.operator_id
      and spender.quote_id = quote.quote_id
    where quote.quote_id >= %L and quote.quote_id < %L
    on conflict do nothing',
    quote_id_at(p_week), quote_id_at(p_week + interval '7 days'));
  get diagnostics v_kept = row_count;
  return v_kept;
end $$;

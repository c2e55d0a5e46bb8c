-- A quote as it is kept, with the order that spent it. Null of a quote that no order spent.
create or replace function spent_quote(p_quote quotes)
returns kept_quotes language sql stable as $$
  select (jsonb_populate_record(null::kept_quotes,
    to_jsonb(p_quote) || jsonb_build_object('spent_by', spender.order_id)))
  from (select order_row.order_id from orders order_row
    where order_row.operator_id = p_quote.operator_id and order_row.quote_id = p_quote.quote_id)
      spender
$$;

-- Copies the quotes of one week that an order spent into kept_quotes, for good. Repeating it copies
-- nothing. The bounds are written into the statement, so that it reads only the partition of that
-- week.
create or replace function keep_spent_quotes(p_week timestamptz)
returns bigint language plpgsql as $$
declare
  v_kept bigint;
begin
  execute format('insert into kept_quotes select kept.*
    from quotes quote cross join lateral spent_quote(quote) kept
    where quote.quote_id >= %L and quote.quote_id < %L
      and kept.quote_id is not null
    on conflict do nothing',
    quote_id_at(p_week), quote_id_at(p_week + interval '7 days'));
  get diagnostics v_kept = row_count;
  return v_kept;
end $$;

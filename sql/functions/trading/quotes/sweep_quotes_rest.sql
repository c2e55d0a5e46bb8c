-- Empties the default partition of old quotes, the p_most oldest at a time: quotes that an order
-- spent are copied to kept_quotes first. The partition holds quotes that were issued before their
-- week had one. Returns how many it removed.
create or replace function sweep_quotes_rest(p_keep interval, p_most integer)
returns integer language plpgsql as $$
declare
  v_before text := quote_id_at(now() - greatest(p_keep, interval '1 day'));
  v_last text;
  v_removed integer;
begin
  select max(oldest.quote_id) into v_last
  from (select quote.quote_id from quotes_rest quote where quote.quote_id < v_before
    order by quote.quote_id limit p_most) oldest;
  insert into kept_quotes select quote.*, spender.order_id
  from quotes_rest quote join orders spender on spender.operator_id = quote.operator_id
    and spender.quote_id = quote.quote_id
  where quote.quote_id <= v_last
  on conflict do nothing;
  delete from quotes_rest where quote_id <= v_last;
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;

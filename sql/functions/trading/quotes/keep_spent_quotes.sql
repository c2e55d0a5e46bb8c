-- Copies the quotes of one week that an order spent to where they are kept for good; again is nothing new. Bounds are written into
-- the statement, so that it reads that week's table alone.
create or replace function keep_spent_quotes(p_week timestamptz) returns bigint language plpgsql as $$
declare
  kept_ bigint;
begin
  execute format('insert into kept_quotes select * from quotes
    where quote_id >= %L and quote_id < %L and spent_by is not null on conflict do nothing',
    quote_id_at(p_week), quote_id_at(p_week + interval '7 days'));
  get diagnostics kept_ = row_count;
  return kept_;
end $$;

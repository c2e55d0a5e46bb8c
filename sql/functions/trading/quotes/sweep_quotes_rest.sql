-- Empties the default partition of old quotes, p_most at a time: quotes that an order spent move to
-- kept_quotes, the others are deleted. The partition holds quotes that were issued before their
-- week had one. Returns how many it removed.
create or replace function sweep_quotes_rest(p_keep interval, p_most integer)
returns integer language sql as $$
  with gone as (
    delete from quotes_rest
    where ctid = any (array(select quote.ctid from quotes_rest quote
      where quote.quote_id < quote_id_at(now() - greatest(p_keep, interval '1 day'))
      limit p_most))
    returning quotes_rest::quotes as quote
  ), kept as (
    insert into kept_quotes select spent.*
    from gone cross join lateral spent_quote(gone.quote) spent
    where spent.quote_id is not null on conflict do nothing
  )
  select count(*)::integer from gone
$$;

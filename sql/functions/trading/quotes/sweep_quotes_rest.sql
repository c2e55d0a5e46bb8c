-- Empties the default table of old quotes, some at a time: what an order spent moves to where it is kept, the rest is forgotten.
-- It holds what came before its week had a table. Returns how many went.
create or replace function sweep_quotes_rest(p_keep interval, p_most integer) returns integer language sql as $$
  with gone as (
    delete from quotes_rest
    where ctid = any (array(select r.ctid from quotes_rest r where r.quote_id < quote_id_at(now() - greatest(p_keep, interval '1 day')) limit p_most))
    returning *
  ), kept as (
    insert into kept_quotes select * from gone where spent_by is not null on conflict do nothing
  )
  select count(*)::integer from gone
$$;

-- Notes on each trading contract its price a day before p_now, or the oldest recorded since. Boards learn of those
-- that differ from what was noted.
create or replace function note_day_old_prices(p_now timestamptz) returns bigint language plpgsql as $$
declare
  v bigint;
begin
  update board_revision b set revision = b.revision + 1 returning b.revision into v;
  update contracts c set price_24h_ago_micros = h.price_micros, revision = v
  from contracts k cross join lateral (
    select p.price_micros from price_history p
    where p.contract_id = k.contract_id and p.step_minutes = 5 and p.at >= p_now - interval '24 hours'
    order by p.at limit 1
  ) h
  where c.contract_id = k.contract_id and k.resolution is null and k.status = 'open'
    and c.price_24h_ago_micros is distinct from h.price_micros;
  return v;
end
$$;

-- Stores with each open contract its price of a day before p_now, or the oldest recorded since
-- then. Only changes are written, under a new revision of the board.
create or replace function note_day_old_prices(p_now timestamptz)
returns bigint language plpgsql as $$
declare
  v_revision bigint;
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into v_revision;
  update contracts contract set price_24h_ago_micros = day_old.price_micros, revision = v_revision
  from contracts trading cross join lateral (
    select price.price_micros from price_history price
    where price.contract_id = trading.contract_id and price.step_minutes = 5
      and price.at >= p_now - interval '24 hours'
    order by price.at limit 1
  ) day_old
  where contract.contract_id = trading.contract_id and trading.resolution is null
    and trading.status = 'open'
    and contract.price_24h_ago_micros is distinct from day_old.price_micros;
  return v_revision;
end
$$;

-- Writes accepted orders, which spends their quotes: the index orders_quote has one order a quote.
-- The fill of an order that is filled at once is part of its row. Only the position and the times
-- are given here.
create or replace function insert_orders(
  p_orders order_row[], p_codes text[], p_position_ids text[], p_placed_at timestamptz
) returns void language plpgsql as $$
declare
  v_place integer := 0;
  v_order order_row;
  v_rows order_row[] := '{}';
begin
  foreach v_order in array p_orders loop
    v_place := v_place + 1;
    continue when p_codes[v_place] is not null;
    v_order.position_id := p_position_ids[v_place];
    v_order.created_at := p_placed_at;
    v_order.updated_at := p_placed_at;
    if v_order.status = 'pending_venue_execution' then
      v_order.reserve_confirmed_at := p_placed_at;
    end if;
    v_rows := v_rows || v_order;
  end loop;
  insert into orders select * from unnest(v_rows);
end $$;

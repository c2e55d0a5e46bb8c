-- What the moves of orders do to positions: a buy opens or extends one, an exit reduces one, and contracts held back for a sell
-- are let go. Live positions also keep what is held at which venue. Returns the positions that buys went into, in the
-- places of their moves among p_count.
create or replace function move_positions(moves order_move[], moved timestamptz, p_count integer) returns text[] language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  position_ids text[];
begin
  with bought as (
    insert into positions as p (operator_id, position_id, external_user_id, contract_id, side, simulated, quantity, cost_basis_minor,
      entry_fees_minor, realised_pnl_minor, price_weight, average_price_micros, opened_at, updated_at)
    select q.operator_id, q.position_id, q.external_user_id, r.contract_id, r.side, r.simulated, q.add_quantity, q.add_cost_minor + x.back,
      q.add_fees_minor + x.back, x.back, q.add_weight, round(q.add_weight / q.add_quantity), moved, moved
    from unnest(moves) q join orders r on r.operator_id = q.operator_id and r.order_id = q.order_id
      -- cumulatives of fees may fall with the next fill (one whose fee is unknown, or no room left for it). What was part of
      -- contracts sold meanwhile cannot come off what is held: it is profit
      cross join lateral (select greatest(0, -q.add_fees_minor) as back) x
    where q.add_quantity > 0
    on conflict (operator_id, external_user_id, contract_id, side, simulated) where status = 'open' do update set
      quantity = p.quantity + excluded.quantity,
      cost_basis_minor = p.cost_basis_minor + excluded.cost_basis_minor - excluded.realised_pnl_minor
        + greatest(0, excluded.realised_pnl_minor - excluded.entry_fees_minor - p.entry_fees_minor),
      entry_fees_minor = greatest(0, p.entry_fees_minor + excluded.entry_fees_minor - excluded.realised_pnl_minor),
      realised_pnl_minor = p.realised_pnl_minor + greatest(0, excluded.realised_pnl_minor - excluded.entry_fees_minor - p.entry_fees_minor),
      price_weight = p.price_weight + excluded.price_weight,
      average_price_micros = round((p.price_weight + excluded.price_weight) / (p.quantity + excluded.quantity)),
      updated_at = excluded.updated_at, version = p.version + 1
    returning p.operator_id, p.external_user_id, p.position_id
  ), placed as (
    select q.number, q.operator_id, b.position_id, q.order_id, q.add_quantity
    from unnest(moves) q join bought b on b.operator_id = q.operator_id and b.external_user_id = q.external_user_id
    where q.add_quantity > 0
  ), held as (
    insert into position_holdings as h (operator_id, position_id, venue, quantity)
    select p.operator_id, p.position_id, r.venue, p.add_quantity
    from placed p join orders r on r.operator_id = p.operator_id and r.order_id = p.order_id where not r.simulated
    on conflict (operator_id, position_id, venue) do update set quantity = h.quantity + excluded.quantity
  )
  select array_agg(p.position_id order by n) into position_ids from generate_series(1, p_count) n left join placed p on p.number = n;

  -- a venue's fee that became known after the fill: part of the cost of what is held, or a loss where all was sold meanwhile
  update positions p set
    cost_basis_minor = p.cost_basis_minor + case when p.status = 'open' then q.add_cost_minor else 0 end,
    entry_fees_minor = p.entry_fees_minor + case when p.status = 'open' then q.add_fees_minor else 0 end,
    realised_pnl_minor = p.realised_pnl_minor - case when p.status = 'open' then 0 else q.add_cost_minor end,
    updated_at = moved, version = p.version + 1
  from unnest(moves) q join orders r on r.operator_id = q.operator_id and r.order_id = q.order_id
  where coalesce(q.add_quantity, 0) = 0 and q.add_cost_minor <> 0 and p.operator_id = q.operator_id and p.position_id = r.position_id;

  update positions p set
    quantity = p.quantity - coalesce(q.take_quantity, 0),
    held_quantity = p.held_quantity - coalesce(q.unhold_quantity, 0),
    cost_basis_minor = p.cost_basis_minor - coalesce(q.cost_share_minor, 0),
    entry_fees_minor = p.entry_fees_minor - coalesce(q.fee_share_minor, 0),
    price_weight = p.price_weight - coalesce(q.weight_share, 0),
    realised_pnl_minor = p.realised_pnl_minor + coalesce(q.add_realised_minor, 0),
    status = case when p.quantity = coalesce(q.take_quantity, 0) then 'closed' else 'open' end,
    updated_at = moved, version = p.version + 1
  from unnest(moves) q join orders r on r.operator_id = q.operator_id and r.order_id = q.order_id and r.action = 'sell'
  where (q.take_quantity > 0 or q.unhold_quantity > 0) and p.operator_id = q.operator_id and p.position_id = r.position_id;

  update position_holdings h set quantity = h.quantity - coalesce(q.take_quantity, 0), held_quantity = h.held_quantity - coalesce(q.unhold_quantity, 0)
  from unnest(moves) q join orders r on r.operator_id = q.operator_id and r.order_id = q.order_id and r.action = 'sell' and not r.simulated
  where (q.take_quantity > 0 or q.unhold_quantity > 0) and h.operator_id = q.operator_id and h.position_id = r.position_id and h.venue = r.venue;
  return position_ids;
end $$;

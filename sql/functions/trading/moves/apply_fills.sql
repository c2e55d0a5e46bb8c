-- Writes the fills that accepted transitions carry. A command names all fills of its order: one
-- that is there already only learns its fee, once, and a number that another fill has raises IN005,
-- since the transition was then decided on fills that were read too early. Runs under the planner
-- settings of its caller.
create or replace function apply_fills(
  p_orders order_row[], p_effects order_effects[], p_codes text[], p_moved_at timestamptz
) returns void language plpgsql as $$
declare
  v_written bigint;
begin
  insert into fill_rows as known (operator_id, order_id, fill_no, fill_id, quantity, price_micros,
    fee_micros, earned_micros, venue_fill_id, filled_at)
  select command.operator_id, command.order_id, fill.fill_no, fill.fill_id, fill.quantity,
    fill.price_micros, fill.fee_micros, fill.earned_micros, fill.venue_fill_id, p_moved_at
  from unnest(p_orders, p_effects) with ordinality command
    cross join lateral json_to_recordset(command.fills) as fill(fill_no integer, fill_id text,
      quantity bigint, price_micros bigint, fee_micros bigint, earned_micros bigint,
      venue_fill_id text)
  where p_codes[command.ordinality] is null and command.fills is not null
  on conflict (operator_id, order_id, fill_no)
  do update set fee_micros = coalesce(known.fee_micros, excluded.fee_micros),
    earned_micros = case when known.fee_micros is null then excluded.earned_micros
      else known.earned_micros end
  where (known.fill_id, known.quantity, known.price_micros)
      = (excluded.fill_id, excluded.quantity, excluded.price_micros)
    and known.venue_fill_id is not distinct from excluded.venue_fill_id;
  get diagnostics v_written = row_count;
  if v_written <> (
      select coalesce(sum(json_array_length(effect.fills)), 0)
      from unnest(p_effects) with ordinality effect where p_codes[effect.ordinality] is null) then
    raise exception 'a fill was to be recorded under the number of another one'
      using errcode = 'IN005';
  end if;
end $$;

-- Decides between moves of one batch that want the same thing, in the order of their numbers: the
-- operator's collateral, and the room below its overall caps on exposure and on live orders, go to
-- those that fit in. Returns the codes with these refusals added. Called only for a batch that
-- commits collateral or begins a transmission; runs under the planner settings of its caller.
create or replace function settle_move_races(p_moves order_move[], p_codes text[])
returns text[] language plpgsql as $$
declare
  v_number integer;
begin
  for v_number in
    select unnest(short_of_collateral(array_agg(move.number), array_agg(move.operator_id),
      array_agg(move.collateral_minor)))
    from unnest(p_moves) move where p_codes[move.number] is null and move.collateral_minor > 0
  loop
    p_codes[v_number] := 'insufficient_collateral';
  end loop;
  for v_number in
    select unnest(over_total_caps(array_agg(move.number), array_agg(move.operator_id),
      array_agg(move.exposure_minor)))
    from unnest(p_moves) move
    where p_codes[move.number] is null and move.begins and move.adopts is not true
      and move.exposure_minor > 0
  loop
    p_codes[v_number] := 'over_tenant_exposure';
  end loop;
  return p_codes;
end $$;

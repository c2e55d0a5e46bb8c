-- Decides between commands of one batch that want the same thing, in the order of the commands: the
-- operator's collateral, and the room below its overall caps on exposure and on live orders, go to
-- those that fit in; a scenario for any order goes to the first command that wants it, and the
-- later one decides again (p_scripted: commands take scenarios). Returns the codes with these
-- refusals added. Called only for a batch that commits collateral, takes a scenario or begins a
-- transmission; runs under the planner settings of its caller.
create or replace function settle_order_races(
  p_orders order_row[], p_effects order_effects[], p_codes text[], p_scripted boolean
) returns text[] language plpgsql as $$
declare
  v_number integer;
begin
  for v_number in
    select unnest(short_of_collateral(array_agg(command.ordinality::integer),
      array_agg(command.operator_id::text), array_agg(command.collateral_minor)))
    from unnest(p_orders, p_effects) with ordinality command
    where p_codes[command.ordinality] is null and command.collateral_minor > 0
  loop
    p_codes[v_number] := 'insufficient_collateral';
  end loop;
  for v_number in
    select unnest(over_total_caps(array_agg(command.ordinality::integer),
      array_agg(command.operator_id::text), array_agg(command.exposure_minor)))
    from unnest(p_orders, p_effects) with ordinality command
    where p_codes[command.ordinality] is null and command.begins and command.adopts is not true
      and command.exposure_minor > 0
  loop
    p_codes[v_number] := 'over_tenant_exposure';
  end loop;
  for v_number in
    select wanted.number
    from (
      select command.ordinality as number, row_number() over (
        partition by command.operator_id, command.scenario_id order by command.ordinality) as rank
      from unnest(p_orders) with ordinality command
      where p_codes[command.ordinality] is null
        and p_scripted and command.scenario_id is not null) wanted
    where wanted.rank > 1
  loop
    p_codes[v_number] := 'scenario_changed';
  end loop;
  return p_codes;
end $$;

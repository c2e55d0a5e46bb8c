-- Decides between commands of one batch that want the same thing, in the order of their numbers:
-- the operator's collateral goes to those that fit in, and a scenario for any order goes to the
-- first command that wants it. The later one decides again. Returns the codes with these refusals
-- added. Called only for a batch that commits collateral or uses a scenario; runs under the planner
-- settings of its caller.
create or replace function settle_order_races(p_commands order_command[], p_codes text[])
returns text[] language plpgsql as $$
declare
  v_number integer;
begin
  for v_number in
    select unnest(short_of_collateral(array_agg(command.number), array_agg(command.operator_id),
      array_agg(command.collateral_minor)))
    from unnest(p_commands) command
    where p_codes[command.number] is null and command.collateral_minor > 0
  loop
    p_codes[v_number] := 'insufficient_collateral';
  end loop;
  for v_number in
    select wanted.number
    from (
      select command.number, row_number() over (
        partition by command.operator_id, command.scenario_id order by command.number) as rank
      from unnest(p_commands) command
      where p_codes[command.number] is null and command.scenario_id is not null) wanted
    where wanted.rank > 1
  loop
    p_codes[v_number] := 'scenario_changed';
  end loop;
  return p_codes;
end $$;

-- Records the orders of a batch: POST /orders. A command is checked again against the committed
-- state and then written with its fill, position and rows of the journal, or it is
-- answered with a code and nothing is written for it. The caller puts at most one command of a
-- customer into a batch. So the customers' rows, which are locked first, guard their quotes,
-- wallets, positions and limits. Locks: customers, scenarios, positions by key, operators' ledgers
-- (in append_to_journal). Rows of the journal travel beside the commands, because inside they would
-- be copied by every step; p_commands has the number of each row's command. Measured: as one body
-- or in these steps, a batch takes the same time (docs/decisions.md).
create or replace function place_orders(p_batch json, p_journal json, p_commands integer[])
returns table (
  number integer, code text, order_id text, position_id text, created_at timestamptz, limits json
) language plpgsql
-- One plan for all calls, because planning costs more than running it. Look-ups by key only,
-- because the plan may be made while the tables are empty and must not become a scan when they
-- grow. The steps that are called from here run under the same settings.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_commands order_command[];
  v_accepted order_command[];
  v_codes text[];
  v_limits json[];
  v_order_ids text[];
  v_position_ids text[];
  v_placed_at timestamptz;
  -- a step that no command of the batch needs is left out
  v_scripted boolean;
  v_commits boolean;
  v_sells boolean;
begin
  select array_agg(command order by command.number), bool_or(command.scenario_id is not null),
    bool_or(command.collateral_minor > 0), bool_or(command.action = 'sell')
  into v_commands, v_scripted, v_commits, v_sells
  from json_populate_recordset(null::order_command, p_batch) command;

  perform lock_order_rows(v_commands, v_scripted);
  v_placed_at := clock_timestamp();

  select checked.codes, checked.limits, checked.order_ids into v_codes, v_limits, v_order_ids
  from order_refusals(v_commands, v_placed_at) checked;
  if v_commits or v_scripted then
    v_codes := settle_order_races(v_commands, v_codes);
  end if;

  -- as a rule all are accepted, and then nothing is copied
  v_accepted := v_commands;
  if array_remove(v_codes, null) <> '{}' then
    select array_agg(command order by command.number) into v_accepted
    from unnest(v_commands) command where v_codes[command.number] is null;
  end if;

  if v_scripted then
    update scenarios scenario set consumed_by = command.order_id
    from unnest(v_accepted) command
    where command.scenario_id is not null and scenario.operator_id = command.operator_id
      and scenario.scenario_id = command.scenario_id;
  end if;
  v_position_ids := book_positions(v_accepted, v_placed_at, cardinality(v_commands), v_sells);
  perform insert_orders(v_accepted, v_position_ids, v_placed_at);
  perform append_to_journal('', array(select entry from json_populate_recordset(null::journal,
    p_journal) entry), p_commands, v_codes, v_position_ids, v_placed_at);

  return query
    select command.number, v_codes[command.number],
      coalesce(v_order_ids[command.number], command.order_id), v_position_ids[command.number],
      v_placed_at, v_limits[command.number]
    from unnest(v_commands) command order by command.number;
end $$;

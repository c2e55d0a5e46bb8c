-- Records the orders of a batch: POST /orders. A command is an order's row and its effects
-- (docs/ledger.md, "The write path"). It is checked again against the committed state and then
-- written with its fill, position and rows of the journal, or it is answered with a code and
-- nothing is written for it. The caller puts at most one command of a customer into a batch. So the
-- customers' rows, which are locked first, guard their quotes, wallets, positions and limits.
-- Locks: customers, scenarios, positions by key, operators' ledgers (in append_to_journal). Rows of
-- the journal travel beside the commands; p_commands has the number of each row's command. The
-- order of the arrays names a command everywhere. Measured: as one body or in these steps, a batch
-- takes the same time (docs/decisions.md).
create or replace function place_orders(
  p_operator_id text, p_orders order_row[], p_effects order_effects[], p_journal journal_row[],
  p_commands integer[]
) returns table (
  number integer, code text, order_id text, position_id text, created_at timestamptz, limits json
) language plpgsql
-- One plan for all calls, because planning costs more than running it. Look-ups by key only,
-- because the plan may be made while the tables are empty and must not become a scan when they
-- grow. The steps that are called from here run under the same settings.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_operator text := nullif(p_operator_id, '');
  v_codes text[];
  v_limits json[];
  v_order_ids text[];
  v_position_ids text[];
  v_placed_at timestamptz;
  v_elsewhere boolean;
  -- a step that no command of the batch needs is left out
  v_scripted boolean;
  v_commits boolean;
begin
  perform hold_in_place(p_operator_id);
  select bool_or(command.scenario_id is not null), bool_or(command.collateral_minor > 0),
    bool_or(command.operator_id <> v_operator)
  into v_scripted, v_commits, v_elsewhere
  from unnest(p_orders, p_effects) command;

  -- it would be looked up among the rows of the operator that is named
  if v_elsewhere then
    raise exception 'an order of another operator' using errcode = '22023';
  end if;

  perform lock_order_rows(p_operator_id, p_orders, v_scripted);
  v_placed_at := clock_timestamp();

  select checked.codes, checked.limits, checked.order_ids into v_codes, v_limits, v_order_ids
  from order_refusals(p_operator_id, p_orders, p_effects, v_placed_at) checked;
  if v_commits or v_scripted then
    v_codes := settle_order_races(p_orders, p_effects, v_codes, v_scripted);
  end if;

  if v_scripted then
    update scenarios scenario set consumed_by = command.order_id
    from unnest(p_orders) with ordinality command
    where v_codes[command.ordinality] is null and command.scenario_id is not null
      and scenario.operator_id = coalesce(v_operator, command.operator_id)
      and scenario.scenario_id = command.scenario_id;
  end if;
  v_position_ids := move_positions(p_operator_id, p_orders, p_effects, v_codes, v_placed_at);
  perform insert_orders(p_orders, v_codes, v_position_ids, v_placed_at);
  perform append_to_journal(p_operator_id, p_journal, p_commands, v_codes, v_position_ids,
    v_placed_at);

  return query
    select command.ordinality::integer, v_codes[command.ordinality],
      coalesce(v_order_ids[command.ordinality], command.order_id),
      v_position_ids[command.ordinality], v_placed_at, v_limits[command.ordinality]
    from unnest(p_orders) with ordinality command order by command.ordinality;
end $$;

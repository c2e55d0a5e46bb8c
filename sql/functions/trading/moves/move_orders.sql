-- Moves a batch of orders along their states: a reserve is confirmed, an order is withdrawn, a
-- transmission begins, a venue has answered. A move is checked again against the committed state
-- and then written with its attempt, fills, position, exposure and rows of the journal, or it is
-- answered with a code and nothing is written for it. The caller puts at most one move of a
-- customer into a batch. Locks: customers, operators' totals of exposure, positions and orders by
-- key, customers' exposure, operators' ledgers (in append_to_journal). Rows of the journal travel
-- beside the moves, as in place_orders.
create or replace function move_orders(p_batch json, p_journal json, p_commands integer[])
returns table (number integer, code text, version bigint, moved_at timestamptz) language plpgsql
-- As in place_orders: one plan for all calls, and look-ups by key only. The steps that are called
-- from here run under the same settings.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_moves order_move[];
  v_accepted order_move[];
  v_codes text[];
  v_exposures bigint[];
  v_position_ids text[];
  v_moved_at timestamptz;
  -- a step that no move of the batch needs is left out
  v_begins boolean;
  v_exposes boolean;
  v_commits boolean;
  v_answers boolean;
  v_fills boolean;
  v_trades boolean;
begin
  select array_agg(move order by move.number), bool_or(move.begins),
    -- a fee that a position no longer carries changes the exposure too (exposure_changes)
    bool_or(move.exposure_minor <> 0 or move.add_fees_minor < 0
      or (coalesce(move.add_quantity, 0) = 0 and move.add_cost_minor <> 0)),
    bool_or(move.collateral_minor > 0),
    bool_or(move.attempt is null and move.attempt_state is not null),
    bool_or(move.fills is not null),
    bool_or(move.add_quantity > 0 or move.add_cost_minor <> 0 or move.take_quantity > 0
      or move.unhold_quantity > 0)
  into v_moves, v_begins, v_exposes, v_commits, v_answers, v_fills, v_trades
  from json_populate_recordset(null::order_move, p_batch) move;

  perform lock_move_rows(v_moves, v_begins, v_exposes);
  v_moved_at := clock_timestamp();

  v_codes := move_refusals(v_moves);
  if v_commits or v_begins then
    v_codes := settle_move_races(v_moves, v_codes);
  end if;

  -- as a rule all are accepted, and then nothing is copied
  v_accepted := v_moves;
  if array_remove(v_codes, null) <> '{}' then
    select array_agg(move order by move.number) into v_accepted
    from unnest(v_moves) move where v_codes[move.number] is null;
  end if;

  if v_exposes then
    v_exposures := exposure_changes(v_moves);
  end if;
  if v_trades then
    v_position_ids := move_positions(v_accepted, v_moved_at, cardinality(v_moves));
  end if;
  v_position_ids := update_orders(v_accepted, v_position_ids, v_moved_at, cardinality(v_moves));
  if v_begins then
    perform begin_attempts(v_accepted, v_moved_at);
  end if;
  if v_answers then
    perform record_answers(v_accepted, v_moved_at);
  end if;
  if v_fills then
    perform apply_fills(v_accepted, v_moved_at);
  end if;
  if v_exposes then
    perform add_exposures(array_agg(move.operator_id), array_agg(move.external_user_id),
      array_agg(v_exposures[move.number]))
    from unnest(v_accepted) move where v_exposures[move.number] <> 0;
  end if;
  perform append_to_journal('', array(select entry from json_populate_recordset(null::journal,
    p_journal) entry), p_commands, v_codes, v_position_ids, v_moved_at);

  return query
    select move.number, v_codes[move.number], move.expected_version + 1, v_moved_at
    from unnest(v_moves) move order by move.number;
end $$;

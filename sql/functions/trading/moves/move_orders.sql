-- Moves a batch of orders along their states: a reserve is confirmed, an order is withdrawn, a
-- transmission begins, a venue has answered. A command is the order's row after the transition,
-- with the version that it was decided on, and its effects (docs/ledger.md, "The write path"). It
-- is checked again against the committed state and then written with its attempt, fills, position,
-- exposure and rows of the journal, or it is answered with a code and nothing is written for it.
-- The caller puts at most one command of a customer into a batch. Locks: customers, operators'
-- totals of exposure, positions and orders by key, customers' exposure, operators' ledgers (in
-- append_to_journal). Rows of the journal travel beside the commands, as in place_orders.
create or replace function move_orders(
  p_operator_id text, p_orders order_row[], p_effects order_effects[], p_journal journal_row[],
  p_commands integer[]
) returns table (number integer, code text, version bigint, moved_at timestamptz) language plpgsql
-- As in place_orders: one plan for all calls, and look-ups by key only. The steps that are called
-- from here run under the same settings.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_operator text := nullif(p_operator_id, '');
  v_codes text[];
  v_exposures bigint[];
  v_position_ids text[];
  v_moved_at timestamptz;
  -- a step that no command of the batch needs is left out
  v_begins boolean;
  v_exposes boolean;
  v_commits boolean;
  v_answers boolean;
  v_fills boolean;
begin
  perform hold_in_place(p_operator_id);
  select bool_or(effect.begins),
    -- a fee that a position no longer carries changes the exposure too (exposure_changes)
    bool_or(effect.exposure_minor <> 0 or effect.add_fees_minor < 0
      or (coalesce(effect.add_quantity, 0) = 0 and effect.add_cost_minor <> 0)),
    bool_or(effect.collateral_minor > 0),
    bool_or(effect.attempt is null and effect.attempt_state is not null),
    bool_or(effect.fills is not null)
  into v_begins, v_exposes, v_commits, v_answers, v_fills
  from unnest(p_effects) effect;

  -- it would be looked up among the rows of the operator that is named
  if exists (select from unnest(p_orders) command where command.operator_id <> v_operator) then
    raise exception 'an order of another operator' using errcode = '22023';
  end if;

  perform lock_move_rows(p_operator_id, p_orders, p_effects, v_begins, v_exposes);
  v_moved_at := clock_timestamp();

  v_codes := move_refusals(p_operator_id, p_orders, p_effects);
  if v_commits or v_begins then
    v_codes := settle_order_races(p_orders, p_effects, v_codes, false);
  end if;

  if v_exposes then
    v_exposures := exposure_changes(p_operator_id, p_orders, p_effects);
  end if;
  v_position_ids := move_positions(p_operator_id, p_orders, p_effects, v_codes, v_moved_at);
  perform update_orders(p_operator_id, p_orders, p_effects, v_codes, v_position_ids, v_moved_at);
  if v_begins then
    perform begin_attempts(p_orders, p_effects, v_codes, v_moved_at);
  end if;
  if v_answers then
    perform record_answers(p_operator_id, p_orders, p_effects, v_codes, v_moved_at);
  end if;
  if v_fills then
    perform apply_fills(p_orders, p_effects, v_codes, v_moved_at);
  end if;
  if v_exposes then
    perform add_exposures(p_operator_id, array_agg(command.operator_id::text),
      array_agg(command.external_user_id), array_agg(v_exposures[command.ordinality]))
    from unnest(p_orders) with ordinality command
    where v_codes[command.ordinality] is null and v_exposures[command.ordinality] <> 0;
  end if;
  perform append_to_journal(p_operator_id, p_journal, p_commands, v_codes, v_position_ids,
    v_moved_at);

  return query
    select command.ordinality::integer, v_codes[command.ordinality], command.version + 1,
      v_moved_at
    from unnest(p_orders) with ordinality command order by command.ordinality;
end $$;

-- Reports a changed resolution to the operators that were settled at an earlier one.

-- Raises market.resolution_changed for the operators that were settled at another version of a
-- contract's resolution (null: the resolution was withdrawn). Versions decide, not times: every
-- version after the paid one is reported once, so a result that was soon replaced is reported too,
-- and so is a return to the paid result: the last event says what holds now. A pair of results that
-- was reported before has `:2`, `:3` and so on behind its key. It moves no money. Settlements that
-- a sandbox tester requested have no version and are not compared. Locks: the contract, so that
-- what another call raised is seen; then as append_to_journal.
create or replace function raise_resolution_changes(p_contract_id text)
returns integer language plpgsql as $$
#variable_conflict use_column
declare
  v_change record;
  v_entry journal_row;
  v_raised integer := 0;
  v_told integer;
  v_versions integer[];
  v_resolutions text[];
  v_worths bigint[];
begin
  perform from contracts contract where contract.contract_id = p_contract_id for no key update;
  -- in a statement of its own, because markets are not where the operators' rows are
  select array_agg(decision.version order by decision.version),
    array_agg(decision.resolution order by decision.version),
    array_agg(decision.split_yes_micros order by decision.version)
  into v_versions, v_resolutions, v_worths
  from contract_resolutions decision
  where decision.contract_id = p_contract_id and decision.applied;
  for v_change in
    select settlement.operator_id, settlement.resolution as settled, decision.resolution,
      'market.resolution_changed:' || p_contract_id || ':'
        || resolution_word(settlement.resolution, settlement.yes_worth_micros) || '->'
        || resolution_word(decision.resolution, decision.split_yes_micros) || ':'
        || settlement.operator_id as dedupe_key,
      decision.version,
      array_agg(distinct settlement.position_id::text order by settlement.position_id::text)
        as position_ids
    from settlements settlement
      join unnest(v_versions, v_resolutions, v_worths)
        as decision(version, resolution, split_yes_micros)
        on decision.version > settlement.resolution_version
    where settlement.contract_id = p_contract_id
    group by 1, 2, 3, 4, 5
    order by 1, 5, 4
  loop
    -- a key ends with the operator's id: what begins with it is the same pair, numbered or not
    select count(*) into v_told from journal row
    where row.operator_id = v_change.operator_id and row.kind = 'resolution_changed'
      and row.contract_id = p_contract_id
      and starts_with(row.detail ->> 'dedupeKey', v_change.dedupe_key)
    having bool_or(row.resolution_version = v_change.version) is not true;
    continue when v_told is null;
    v_entry := null;
    v_entry.operator_id := v_change.operator_id;
    v_entry.kind := 'resolution_changed';
    v_entry.items := 1;
    v_entry.digits := replace(uuidv7_text(), '-', '');
    v_entry.contract_id := p_contract_id;
    v_entry.resolution_version := v_change.version;
    v_entry.detail := json_build_object('dedupeKey',
      v_change.dedupe_key || case when v_told > 0 then ':' || v_told + 1 else '' end,
      'settledResolution', v_change.settled, 'currentResolution', v_change.resolution,
      'affectedPositionIds', v_change.position_ids);
    perform append_to_journal(v_change.operator_id, array[v_entry]);
    v_raised := v_raised + 1;
  end loop;
  return v_raised;
end $$;

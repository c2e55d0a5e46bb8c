-- Reports a changed resolution to the operators that were settled at an earlier one.

-- Versions of a contract's resolution after those at which operators were settled, that were not
-- reported to them: each of them is reported once, so a result that was soon replaced is reported
-- too, and so is a return to the paid result. Versions decide, not times. `pair` is the key of both
-- results, and `told` counts how often it was reported to the operator before. Settlements that a
-- sandbox tester requested have no version and are not compared.
create or replace function unreported_resolutions(p_contract_id text)
returns table (operator_id text, version integer, pair text, told integer, settled text,
  current text, position_ids text[]) language plpgsql stable as $$
#variable_conflict use_column
declare
  v_versions integer[];
  v_resolutions text[];
  v_worths bigint[];
begin
  -- in a separate statement, because markets are not on the servers of the operators' rows
  select array_agg(decision.version order by decision.version),
    array_agg(decision.resolution order by decision.version),
    array_agg(decision.split_yes_micros order by decision.version)
  into v_versions, v_resolutions, v_worths
  from contract_resolutions decision
  where decision.contract_id = p_contract_id and decision.applied;
  return query
  select change.operator_id::text, change.version, change.pair,
    count(reported.operator_id)::integer, change.settled, change.current, change.position_ids
  from (
    select paid.operator_id, decision.version, paid.resolution::text as settled,
      decision.resolution as current,
      'market.resolution_changed:' || p_contract_id || ':'
        || resolution_word(paid.resolution::text, paid.yes_worth_micros) || '->'
        || resolution_word(decision.resolution, decision.split_yes_micros) || ':'
        || paid.operator_id as pair,
      array_agg(distinct paid.position_id::text order by paid.position_id::text) as position_ids
    from journal paid
      join unnest(v_versions, v_resolutions, v_worths)
        as decision(version, resolution, split_yes_micros)
        on decision.version > paid.resolution_version
    where paid.contract_id = p_contract_id and paid.kind = 'position_settled'
    group by 1, 2, 3, 4, 5) change
    -- a key ends with the operator's id: every key with this beginning is the same pair, numbered
    -- or not
    left join journal reported on reported.operator_id = change.operator_id
      and reported.kind = 'resolution_changed' and reported.contract_id = p_contract_id
      and starts_with(reported.detail ->> 'dedupeKey', change.pair)
  group by change.operator_id, change.version, change.pair, change.settled, change.current,
    change.position_ids
  having bool_or(reported.resolution_version = change.version) is not true
  order by change.operator_id, change.version, change.pair;
end $$;

-- Records market.resolution_changed for one operator; it moves no money. Returns false and writes
-- nothing if the change was reported meanwhile, or another one of the same pair, whose number the
-- row then has. Locks: the contract, so that rows of other calls are seen; then as
-- append_to_journal.
create or replace function raise_resolution_change(p_contract_id text, p_told integer,
  p_entry journal_row) returns boolean language plpgsql as $$
begin
  perform from contracts contract where contract.contract_id = p_contract_id for no key update;
  if not exists (
      select from unreported_resolutions(p_contract_id) change
      where change.operator_id = p_entry.operator_id
        and change.version = p_entry.resolution_version and change.told = p_told
        and starts_with(p_entry.detail ->> 'dedupeKey', change.pair)) then
    return false;
  end if;
  perform append_to_journal(p_entry.operator_id, array[p_entry]);
  return true;
end $$;

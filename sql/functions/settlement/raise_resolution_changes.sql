-- Raises market.resolution_changed for the operators that were settled at another version of a
-- contract's resolution (null: the resolution was withdrawn). Versions decide, not times: every
-- version after the paid one is reported, so a result that was soon replaced is reported too, and
-- so is a return to the paid result. Once for each change and operator; it moves no money.
-- Settlements that a sandbox tester requested have no version and are not compared. Locks: the
-- contract, so that what another call raised is seen; then as append_to_journal.
create or replace function raise_resolution_changes(p_contract_id text)
returns integer language plpgsql as $$
#variable_conflict use_column
declare
  v_entries journal_row[];
begin
  perform from contracts contract where contract.contract_id = p_contract_id for no key update;
  select array_agg(json_populate_record(null::journal_row, json_build_object(
    'operator_id', change.operator_id, 'kind', 'resolution_changed', 'items', 1,
    'digits', replace(uuidv7_text(), '-', ''), 'contract_id', p_contract_id,
    'detail', json_build_object('dedupeKey', change.dedupe_key,
      'settledResolution', change.settled, 'currentResolution', change.resolution,
      'affectedPositionIds', change.position_ids)))
    order by change.operator_id, change.version, change.settled)
  into v_entries
  from (
    select grouped.*,
      'market.resolution_changed:' || p_contract_id || ':' || grouped.paid_as || '->'
        || grouped.now_as || ':' || grouped.operator_id as dedupe_key
    from (
      select settlement.operator_id, settlement.resolution as settled, decision.resolution,
        resolution_word(settlement.resolution, settlement.yes_worth_micros) as paid_as,
        resolution_word(decision.resolution, decision.split_yes_micros) as now_as,
          min(decision.version) as version,
        array_agg(distinct settlement.position_id::text order by settlement.position_id::text)
          as position_ids
      from settlements settlement join contract_resolutions decision
        on decision.contract_id = settlement.contract_id and decision.applied
        and decision.version > settlement.resolution_version
      where settlement.contract_id = p_contract_id
      group by 1, 2, 3, 4, 5
    ) grouped
  ) change
  where not exists (select from journal row
    where row.operator_id = change.operator_id and row.kind = 'resolution_changed'
      and row.contract_id = p_contract_id and row.detail ->> 'dedupeKey' = change.dedupe_key);
  perform append_to_journal('', v_entries);
  return coalesce(cardinality(v_entries), 0);
end $$;

-- Raises market.resolution_changed for the operators that were settled at another version of a
-- contract's resolution (null: the resolution was withdrawn). Versions decide, not times: every
-- version after the paid one is reported, so a result that was soon replaced is reported too, and
-- so is a return to the paid result. Once for each change and operator; it moves no money.
-- Settlements that a sandbox tester requested have no version and are not compared.
create or replace function raise_resolution_changes(p_contract_id text)
returns integer language plpgsql as $$
#variable_conflict use_column
declare
  v_facts feed_fact[];
begin
  select array_agg(one_fact(change.n::integer, change.operator_id, 'webhook.emitted', 'evn_'
    || replace(uuidv7_text(), '-', ''), null, null, null, null,
      json_build_object('eventType', 'market.resolution_changed', 'dedupeKey', change.dedupe_key),
        null,
      json_build_object('contractId', p_contract_id, 'settledResolution', change.settled,
        'currentResolution', change.resolution,
        'affectedPositionIds', change.position_ids, 'affectedPositionId', change.position_ids[1],
          'action', 'operator_review_required')))
  into v_facts
  from (
    select grouped.*, row_number() over (order by grouped.operator_id, grouped.version,
      grouped.settled) as n,
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
  where not exists (select 1 from outbox_events event
    where event_digest(event.dedupe_key) = event_digest(change.dedupe_key)
      and event.operator_id = change.operator_id and event.dedupe_key = change.dedupe_key);
  perform record_facts(v_facts);
  return coalesce(cardinality(v_facts), 0);
end $$;

-- Raises market.resolution_changed for operators that were settled at another version of a contract's resolution (null: the
-- resolution was withdrawn). Versions decide, not times: every one after the version that was paid counts, so a result that
-- was soon replaced is reported too, and so is a return to what was paid. Once for each change and operator; it moves no
-- money. Settlements that a sandbox tester asked for have no version and take no part.
create or replace function raise_resolution_changes(p_contract_id text) returns integer language plpgsql as $$
#variable_conflict use_column
declare
  facts fact[];
begin
  select array_agg(row(x.n, x.operator_id, 'webhook.emitted', 'evn_' || replace(uuidv7_text(), '-', ''), null, null, null, null,
      json_build_object('eventType', 'market.resolution_changed', 'dedupeKey', x.dedupe_key), null,
      json_build_object('contractId', p_contract_id, 'settledResolution', x.settled, 'currentResolution', x.resolution,
        'affectedPositionIds', x.position_ids, 'affectedPositionId', x.position_ids[1], 'action', 'operator_review_required'))::fact)
  into facts
  from (
    select g.*, row_number() over (order by g.operator_id, g.version, g.settled) as n,
      'market.resolution_changed:' || p_contract_id || ':' || g.paid_as || '->' || g.now_as || ':' || g.operator_id as dedupe_key
    from (
      select s.operator_id, s.resolution as settled, r.resolution, resolution_word(s.resolution, s.yes_worth_micros) as paid_as,
        resolution_word(r.resolution, r.split_yes_micros) as now_as, min(r.version) as version,
        array_agg(distinct s.position_id::text order by s.position_id::text) as position_ids
      from settlements s join contract_resolutions r on r.contract_id = s.contract_id and r.applied and r.version > s.resolution_version
      where s.contract_id = p_contract_id
      group by 1, 2, 3, 4, 5
    ) g
  ) x
  where not exists (select 1 from outbox_events e where e.operator_id = x.operator_id and e.dedupe_key = x.dedupe_key);
  perform record_facts(facts);
  return coalesce(cardinality(facts), 0);
end $$;

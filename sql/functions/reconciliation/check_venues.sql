-- `venue_agreement`: exits that the venue tells otherwise, and what its account of ours holds that the books do not know.
create or replace function check_venue_agreement(p_operator_id text, p_base bigint) returns setof finding language sql stable parallel safe as $$
  (select 'venue_agreement', 'critical', 'The account at the venue holds what the books do not know: ' || replace(v.kind, '_', ' ') || '.', 'record', v.order_id::text
   from venue_findings v where v.operator_id = p_operator_id and v.cleared_at is null order by v.finding_id limit 100)
  union all
  (select 'venue_agreement', 'critical', 'The venue does not agree with this exit of ' || (f.detail ->> 'quantity') || ' contracts.', 'record', f.item_id
  from feed_items f
  where f.operator_id = p_operator_id and f.type = 'position.exited' and f.position > p_base and (f.detail ->> 'venueAgrees')::boolean is false
  order by f.position limit 100)
$$;

-- The counts of the report; nothing known is no disagreement.
create or replace function count_venue_agreement(p_operator_id text, p_base bigint) returns json language sql stable parallel safe as $$
  select json_build_object('exits', count(*), 'agrees', count(*) filter (where x.agrees), 'disagrees', count(*) filter (where not x.agrees),
    'unknown', count(*) filter (where x.agrees is null))
  from (select (f.detail ->> 'venueAgrees')::boolean as agrees from feed_items f
        where f.operator_id = p_operator_id and f.type = 'position.exited' and f.position > p_base) x
$$;

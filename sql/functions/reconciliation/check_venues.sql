-- `venue_agreement`: exits that the venue tells otherwise, and what its account of ours holds that
-- the books do not know.
create or replace function check_venue_agreement(p_operator_id text, p_base bigint)
returns setof finding language sql stable parallel safe as $$
  (select 'venue_agreement', 'critical',
    'The account at the venue holds what the books do not know: ' || replace(found.kind, '_', ' ')
    || '.', 'record', found.order_id::text
   from venue_findings found where found.operator_id = p_operator_id and found.cleared_at is null
     order by found.finding_id limit 100)
  union all
  (select 'venue_agreement', 'critical', 'The venue does not agree with this exit of '
    || (item.detail ->> 'quantity') || ' contracts.', 'record', item.item_id
  from exits_between(p_operator_id, p_base, 9223372036854775807) item
  where (item.detail ->> 'venueAgrees')::boolean is false
  order by item.position limit 100)
$$;

-- The counts of the report over the items after p_base up to p_through; nothing known is no
-- disagreement.
create or replace function count_venue_agreement(p_operator_id text, p_base bigint,
  p_through bigint)
returns json language sql stable parallel safe as $$
  select json_build_object('exits', count(*), 'agrees', count(*) filter (where exit.agrees),
    'disagrees', count(*) filter (where not exit.agrees),
    'unknown', count(*) filter (where exit.agrees is null))
  from (select (item.detail ->> 'venueAgrees')::boolean as agrees
        from exits_between(p_operator_id, p_base, p_through) item) exit
$$;

-- Admits one group of admit_requests if the caller knows its key as it is now and may make the
-- request: two look-ups and two counters, at a third of the cost of the statement for any batch.
-- Returns how many requests were counted before it and how many are granted, or null if the other
-- statement must answer; nothing is counted then. Locks the subject before the tenant, as
-- count_requests does. Runs under the planner settings of its caller.
create or replace function admit_known_key(
  p_group jsonb, p_moment timestamptz, p_minute timestamptz
) returns integer[] language plpgsql as $$
declare
  v_known record;
  v_before bigint;
  v_granted bigint;
  v_tenant bigint;
begin
  select 'k:' || api_key.key_id || ':' || coalesce(child.operator_id, operator.operator_id)
      as subject, api_key.rate_limit,
    't:' || coalesce(parent.operator_id, operator.operator_id) as tenant,
    coalesce(parent.rate_ceiling, operator.rate_ceiling) as rate_ceiling,
    (p_group ->> 3)::integer as wanted
  into v_known
  from api_keys api_key
    join operators operator on operator.operator_id = api_key.operator_id
    left join operators parent on parent.operator_id = operator.parent_id
    left join operators child on child.operator_id = p_group ->> 1
      and child.parent_id = operator.operator_id
      and child.mode = operator.mode and operator.parent_id is null
  where api_key.key_hash = decode(p_group ->> 0, 'hex')
    and key_version(api_key.xmin, api_key.ctid, operator.xmin, operator.ctid, child.xmin,
      child.ctid) = p_group ->> 4
    and key_outcome(api_key, operator, child, p_group ->> 1, p_group ->> 2, p_group ->> 6,
      p_group ->> 5, p_moment) = 'admitted';
  if not found then
    return null;
  end if;

  insert into rate_counters as counter (subject, window_start, count)
  values (v_known.subject, p_minute, v_known.wanted)
  on conflict (subject, window_start) do update set count = counter.count + excluded.count
  returning counter.count - v_known.wanted into v_before;
  v_granted := least(v_known.wanted, greatest(0, v_known.rate_limit - v_before));
  if v_granted > 0 then
    insert into rate_counters as counter (subject, window_start, count)
    values (v_known.tenant, p_minute, v_granted)
    on conflict (subject, window_start) do update set count = counter.count + excluded.count
    returning counter.count - v_granted into v_tenant;
    v_granted := least(v_granted, greatest(0, v_known.rate_ceiling - v_tenant));
  end if;
  return array[least(v_before, 2147483647), v_granted];
end $$;

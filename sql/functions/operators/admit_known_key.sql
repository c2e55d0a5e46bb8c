-- Admits one group of admit_requests if the caller knows its key as it is now and may make the
-- request: two look-ups and two counters, at a third of the cost of the statement for any batch.
-- Returns the group's answer, or null if the other statement must answer; nothing is counted then.
-- Locks the subject before the tenant, as count_budgets does. Runs under the planner settings of
-- its caller.
create or replace function admit_known_key(
  p_group jsonb, p_moment timestamptz, p_minute timestamptz
) returns json language plpgsql as $$
declare
  v_block bigint := coalesce((p_group ->> 7)::integer, 0);
  v_known record;
  v_before bigint;
  v_excess bigint;
  v_granted bigint;
  v_tenant record;
begin
  -- before the key is read, so that what is read is what a change finds leased
  if v_block > 0
    and not pg_try_advisory_xact_lock_shared(budget_lease_lock(p_group ->> 9)) then
    v_block := 0;
  end if;
  select 'k:' || api_key.key_id || ':' || coalesce(child.operator_id, operator.operator_id)
      as subject, api_key.rate_limit,
    't:' || coalesce(parent.operator_id, operator.operator_id) as tenant,
    coalesce(parent.rate_ceiling, operator.rate_ceiling) as rate_ceiling,
    (p_group ->> 3)::integer as wanted,
    case when v_block > 0 then least(p_moment + (p_group ->> 8)::integer * interval '1 millisecond',
      p_minute + interval '1 minute', api_key.revoked_at, api_key.expires_at) end as until
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

  -- near the ceiling nothing is counted in advance
  if v_block > 0 and v_known.wanted + v_block > v_known.rate_ceiling - coalesce((
    select counter.count from rate_counters counter
    where counter.subject = v_known.tenant and counter.window_start = p_minute), 0) then
    v_block := 0;
    v_known.until := null;
  end if;

  insert into rate_counters as counter (subject, window_start, count, leased, leased_until)
  values (v_known.subject, p_minute, v_known.wanted + v_block, v_block, v_known.until)
  on conflict (subject, window_start) do update set count = counter.count + excluded.count,
    leased = excluded.leased, leased_until = excluded.leased_until
    where is_leased(counter.leased_until, p_moment) is not true
  returning counter.count - v_known.wanted - v_block into v_before;
  if not found then
    -- another process has leased from it
    return null;
  end if;
  if v_block > 0 and v_before + v_known.wanted + v_block > v_known.rate_limit then
    v_excess := least(v_block, v_before + v_known.wanted + v_block - v_known.rate_limit);
    perform uncount_requests(p_minute, array[v_known.subject], array[v_excess],
      array[v_excess]::integer[]);
    v_block := v_block - v_excess;
  end if;

  v_granted := least(v_known.wanted, greatest(0, v_known.rate_limit - v_before));
  if v_granted + v_block > 0 then
    insert into rate_counters as counter (subject, window_start, count, leased, leased_until)
    values (v_known.tenant, p_minute, v_granted + v_block, v_block, v_known.until)
    on conflict (subject, window_start) do update set count = counter.count + excluded.count,
      leased = counter.leased + excluded.leased,
      leased_until = greatest(counter.leased_until, excluded.leased_until)
    returning counter.count, counter.leased > 0 and is_leased(counter.leased_until, p_moment)
      as leased
    into v_tenant;
    if v_tenant.count > v_known.rate_ceiling and v_tenant.leased then
      -- what is leased may come back, and decides
      perform uncount_requests(p_minute, array[v_known.subject, v_known.tenant],
        array[v_known.wanted + v_block, v_granted + v_block], array[v_block, v_block]::integer[]);
      return null;
    end if;
    v_granted := least(v_granted,
      greatest(0, v_known.rate_ceiling - v_tenant.count + v_granted + v_block));
  end if;
  return json_build_array('admitted', least(v_before, 2147483647), v_granted, null, null,
    case when v_block > 0 then json_build_array(v_block, v_known.until,
      floor(extract(epoch from v_known.until - p_moment) * 1000)::integer) end);
end $$;

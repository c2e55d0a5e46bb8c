-- Requests that are counted in advance, for a process that admits them without asking (docs/access.md, "Leases of a budget"): how many,
-- and until when. In the row of a subject they are one lease; in that of a tenant, the sum of those of its subjects and the last end.
alter table rate_counters add column leased integer not null default 0;
alter table rate_counters add column leased_until timestamptz;
-- Names the advisory lock that keeps a process from leasing budget of a holder while a key or an operator changes.
create function budget_lease_lock(p_holder_id text) returns bigint
language sql immutable parallel safe as $$ select hashtextextended('budget ' || p_holder_id, 0) $$;
-- A change of a key or an operator takes effect with its commit, so it waits until no process admits by what was before: half a second
-- at most, however many rows a statement changes. New leases are refused from when it holds the locks until it has committed.
create function await_budget_leases() returns trigger language plpgsql as $$
declare
  v_holder_ids text[];
  v_until timestamptz;
begin
  if tg_table_name = 'operators' then
    v_holder_ids := array(select distinct coalesce(changed.parent_id, changed.operator_id) from changed order by 1);
  else
    v_holder_ids := array(select distinct coalesce(operator.parent_id, operator.operator_id)
      from changed join operators operator on operator.operator_id = changed.operator_id order by 1);
  end if;
  -- in one order everywhere
  perform pg_advisory_xact_lock(budget_lease_lock(holder.id)) from unnest(v_holder_ids) holder(id);
  select max(counter.leased_until) into v_until from rate_counters counter
  where counter.subject in (select 't:' || holder.id from unnest(v_holder_ids) holder(id)) and counter.leased > 0;
  if current_setting('transaction_isolation') <> 'read committed' then
    -- its snapshot may be older than the last leases, so it waits for as long as one lasts
    v_until := clock_timestamp() + interval '500 milliseconds';
  end if;
  if v_until > clock_timestamp() then
    -- never for longer than any lease, also if the clock was set back meanwhile
    perform pg_sleep_until(least(v_until, clock_timestamp() + interval '1 second'));
  end if;
  return null;
end $$;
create trigger api_keys_change after update on api_keys referencing old table as changed
  for each statement execute function await_budget_leases();
create trigger api_keys_end after delete on api_keys referencing old table as changed
  for each statement execute function await_budget_leases();
create trigger operators_change after update on operators referencing old table as changed
  for each statement execute function await_budget_leases();

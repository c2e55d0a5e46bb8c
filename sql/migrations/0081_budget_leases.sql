-- Requests that are counted in advance, for a process that admits them without asking (docs/access.md, "Leases of a budget"): how many,
-- and until when. In the row of a subject they are one lease; in that of a tenant, the sum of those of its subjects and the last end.
alter table rate_counters add column leased integer not null default 0;
alter table rate_counters add column leased_until timestamptz;
-- Names the advisory lock that keeps a process from leasing budget of a holder while a key or an operator changes.
create function budget_lease_lock(p_holder_id text) returns bigint
language sql immutable parallel safe as $$ select hashtextextended('budget ' || p_holder_id, 0) $$;
-- A change of a key or an operator takes effect with its commit, so it waits until no process admits by what was before: half a second
-- at most. New leases are refused from when it holds the lock until it has committed.
create function await_budget_leases() returns trigger language plpgsql as $$
declare
  v_holder_id constant text := (select coalesce(operator.parent_id, operator.operator_id) from operators operator
    where operator.operator_id = old.operator_id);
  v_until timestamptz;
begin
  perform pg_advisory_xact_lock(budget_lease_lock(v_holder_id));
  select max(counter.leased_until) into v_until from rate_counters counter
  where counter.subject = 't:' || v_holder_id and counter.leased > 0;
  if v_until > clock_timestamp() then
    perform pg_sleep_until(v_until);
  end if;
  return null;
end $$;
create trigger api_keys_leases after update or delete on api_keys for each row execute function await_budget_leases();
create trigger operators_leases after update on operators for each row execute function await_budget_leases();

-- Creates and changes operators, decides whose rows a caller sees, and files requests for
-- approval.

-- Gives a new operator its ledger and the position of its relay.
create or replace function open_ledger(p_operator_id text) returns void language plpgsql as $$
begin
  insert into operator_ledgers (operator_id) values (p_operator_id);
  insert into webhook_relays (operator_id) values (p_operator_id);
end $$;

-- Makes an operator of the columns that are given, with its ledger, in one statement. Raises
-- unique_violation if the slug is taken.
create or replace function insert_operator(p_columns json) returns operators language plpgsql as $$
declare
  v_operator operators;
begin
  execute format('insert into operators (%1$s) select %1$s
      from json_populate_record(null::operators, $1) returning *',
    (select string_agg(quote_ident(name), ', ') from json_object_keys(p_columns) name))
  into v_operator using p_columns;
  perform open_ledger(v_operator.operator_id);
  return v_operator;
end $$;

-- Changes the columns of an operator that are given. Returns null if there is no such operator.
create or replace function update_operator(p_operator_id text, p_columns json) returns operators
language plpgsql as $$
declare
  v_operator operators;
begin
  execute format('update operators set %s, updated_at = $3,
      execution_confirmed_at = case when $4 and not operators.execution_confirmed then $3
        else operators.execution_confirmed_at end
      from json_populate_record(null::operators, $1) given
      where operators.operator_id = $2 returning operators.*',
    (select string_agg(format('%1$I = given.%1$I', name), ', ')
     from json_object_keys(p_columns) name))
  into v_operator using p_columns, p_operator_id, now(),
    coalesce((p_columns ->> 'execution_confirmed')::boolean, false);
  return v_operator;
end $$;

-- Whether the caller may see rows of an operator: the tenants' role sees those of the operator that
-- is set, every other role all. For functions that read with the owner's rights, where no policy
-- applies.
create or replace function sees_operator(p_operator_id text)
returns boolean language sql stable parallel safe as $$
  select current_setting('role') <> 'inlay_tenant'
    or p_operator_id is not distinct from current_setting('inlay.operator', true)
$$;

-- Files a request if its kind needs approval now (`approval_rules` always does), and returns it.
-- The same request of the same person that is still open is returned instead of a second one. No
-- row: no approval is needed.
create or replace function request_approval(p_approval_id text, p_kind text, p_request json,
  p_summary text, p_requested_by text, p_requested_user text, p_lifetime interval)
returns setof approvals language plpgsql as $$
declare
  v_open approvals;
begin
  if p_kind <> 'approval_rules'
    and not exists (select 1 from approval_kinds required where required.kind = p_kind) then
    return;
  end if;
  -- one at a time, so that a command that is repeated at once files one request
  perform pg_advisory_xact_lock(hashtextextended('request_approval', 0));
  select * into v_open from approvals approval
  where approval.decision is null and approval.expires_at > clock_timestamp()
    and approval.kind = p_kind and approval.request::text = p_request::text
    and approval.requested_by = p_requested_by and approval.requested_user = p_requested_user
  order by approval.approval_id limit 1;
  if v_open.approval_id is not null then
    return next v_open;
    return;
  end if;
  return query
  insert into approvals as filed (approval_id, kind, request, summary, requested_by,
    requested_user, expires_at)
  values (p_approval_id, p_kind, p_request, p_summary, p_requested_by, p_requested_user,
    clock_timestamp() + p_lifetime)
  returning filed.*;
end $$;

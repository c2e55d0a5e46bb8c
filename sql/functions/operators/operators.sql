-- Creates and changes operators, decides whose rows a caller sees, and files and decides requests
-- for approval.

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

-- Changes the given columns of an operator. Returns null if the operator does not exist.
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

-- Files a request of the login that calls if its kind needs approval now (`approval_rules` always
-- does), and returns it. The same request of the same login that is still open is returned instead
-- of a second one. No row: no approval is needed. A request expires after three days, which is long
-- enough for a weekend. No role may write the login of a request, so the function runs with the
-- owner's rights.
create or replace function request_approval(p_approval_id text, p_kind text, p_request json,
  p_summary text)
returns setof approvals language plpgsql security definer
-- The search path is fixed, because the function runs with the owner's rights.
set search_path = public, pg_temp as $$
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
    and approval.requested_by = session_user
  order by approval.approval_id limit 1;
  if v_open.approval_id is not null then
    return next v_open;
    return;
  end if;
  return query
  insert into approvals as filed (approval_id, kind, request, summary, requested_by, expires_at)
  values (p_approval_id, p_kind, p_request, p_summary, session_user,
    clock_timestamp() + interval '3 days')
  returning filed.*;
end $$;

-- Approves or refuses an open request as the login that calls. The login that made the request may
-- refuse it, which withdraws it, and may not approve it. Returns whether this call decided it. No
-- role may write the deciding login, so the function runs with the owner's rights.
create or replace function decide_approval(p_approval_id text, p_decision text, p_reason text)
returns boolean language plpgsql security definer
-- The search path is fixed, because the function runs with the owner's rights.
set search_path = public, pg_temp as $$
begin
  update approvals approval set decision = p_decision, decided_by = session_user,
    decided_at = clock_timestamp(), reason = p_reason
  where approval.approval_id = p_approval_id and approval.decision is null
    and approval.expires_at > clock_timestamp()
    and (p_decision = 'refused' or approval.requested_by <> session_user);
  return found;
end $$;

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

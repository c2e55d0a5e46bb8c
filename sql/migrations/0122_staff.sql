-- A second person is another person: an approval goes by the system's user, whatever name was typed.

-- Which users of the system are one person. Only these approve.
create table staff (
  os_user text primary key check (length(os_user) between 1 and 200),
  name text not null check (length(name) between 1 and 200),
  added_by text not null,
  added_at timestamptz not null default clock_timestamp()
);

-- The user who logged in, or the system's user where no login is known.
alter table approvals add column requested_user text not null default 'unknown' check (length(requested_user) between 1 and 200);
alter table approvals alter column requested_user drop default;
alter table approvals add column decided_user text check (length(decided_user) between 1 and 200);
alter table approvals drop constraint approved_by_another;
alter table approvals add constraint approved_by_another check (decision is distinct from 'approved' or decided_user <> requested_user);
alter table approvals drop constraint decision_is_complete;
alter table approvals add constraint decision_is_complete check ((decision is null) = (decided_by is null)
  and (decision is null) = (decided_at is null) and (decision is null) = (decided_user is null));

create or replace function refuse_approval_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'approvals are kept' using errcode = 'IN002';
  end if;
  if row(new.approval_id, new.kind, new.request::text, new.summary, new.requested_by, new.requested_user, new.requested_at, new.expires_at)
      is distinct from row(old.approval_id, old.kind, old.request::text, old.summary, old.requested_by, old.requested_user, old.requested_at, old.expires_at)
    or (old.decision is not null and row(new.decision, new.decided_by, new.decided_user, new.decided_at, new.reason)
      is distinct from row(old.decision, old.decided_by, old.decided_user, old.decided_at, old.reason))
    or old.outcome is not null then
    raise exception 'approval % was decided or ended already', old.approval_id using errcode = 'IN002';
  end if;
  return new;
end $$;

-- Beside the name that was typed: who ran the command, and who logged in where the system knows it.
alter table audit_log add column os_user text not null default 'unknown' check (length(os_user) between 1 and 200);
alter table audit_log alter column os_user drop default;
alter table audit_log add column login_user text check (length(login_user) between 1 and 200);

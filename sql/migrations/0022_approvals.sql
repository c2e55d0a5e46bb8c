-- Changes of the service operator that a second person must approve. Of no tenant: they are made by the staff of the service.

-- The kinds that need approval now.
create table approval_kinds (
  kind text collate "C" primary key check (kind in ('collateral_withdrawal', 'correction', 'market_reopening', 'market_resolution',
    'order_resolution')),
  required_by text not null,
  required_at timestamptz not null default clock_timestamp()
);

create table approvals (
  approval_id id primary key,
  -- `approval_rules` is the request to need fewer approvals
  kind text not null check (kind in ('approval_rules', 'collateral_withdrawal', 'correction', 'market_reopening',
    'market_resolution', 'order_resolution')),
  -- what is to be done, and the facts on which it was decided
  request json not null,
  -- the same for people
  summary text not null,
  requested_by text not null check (length(requested_by) between 1 and 200),
  requested_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  decision text check (decision in ('approved', 'refused')),
  decided_by text check (length(decided_by) between 1 and 200),
  decided_at timestamptz,
  -- why it was refused
  reason text,
  -- of an approved request: whether it was carried out, or the error code of what prevented it
  outcome text check (outcome in ('done', 'failed')),
  code text,
  ended_at timestamptz,
  constraint decision_is_complete check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at is null)),
  constraint approved_by_another check (decision is distinct from 'approved' or lower(decided_by) <> lower(requested_by)),
  constraint decided_before_it_expires check (decided_at <= expires_at),
  constraint refused_with_a_reason check (decision is distinct from 'refused' or reason is not null),
  constraint outcome_of_an_approval check (outcome is null or decision is not distinct from 'approved'),
  constraint outcome_is_complete check ((outcome is null) = (ended_at is null) and (outcome is not distinct from 'failed') = (code is not null))
);
create index approvals_open on approvals (expires_at) where decision is null;

-- A request never changes, is decided once and ends once.
create function refuse_approval_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'approvals are kept' using errcode = 'IN002';
  end if;
  if row(new.approval_id, new.kind, new.request::text, new.summary, new.requested_by, new.requested_at, new.expires_at)
      is distinct from row(old.approval_id, old.kind, old.request::text, old.summary, old.requested_by, old.requested_at, old.expires_at)
    or (old.decision is not null and row(new.decision, new.decided_by, new.decided_at, new.reason)
      is distinct from row(old.decision, old.decided_by, old.decided_at, old.reason))
    or old.outcome is not null then
    raise exception 'approval % was decided or ended already', old.approval_id using errcode = 'IN002';
  end if;
  return new;
end $$;
create trigger approvals_decided_once before update on approvals for each row execute function refuse_approval_change();
create trigger approvals_kept before delete or truncate on approvals for each statement execute function refuse_approval_change();

-- The approval that a recorded command asked for or decided, and who asked for it: both names are in one line.
alter table audit_log add column approval_id id;
alter table audit_log add column requested_by text;

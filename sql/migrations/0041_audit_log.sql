-- What the service operator did, and who: one row before a change begins, one when it has ended. Of no tenant, and append-only for
-- every role. A change whose process died in between has its first row alone.
create table audit_log (
  entry_no bigint generated always as identity primary key,
  change_id id not null,
  recorded_at timestamptz not null default clock_timestamp(),
  actor text not null check (length(actor) between 1 and 200),
  command text not null,
  arguments text[] not null,
  outcome text not null check (outcome in ('started', 'done', 'failed')),
  -- the error code of what failed
  code text,
  unique (change_id, outcome)
);
create index audit_log_time on audit_log (recorded_at);
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_keep before truncate on audit_log for each statement execute function refuse_change();

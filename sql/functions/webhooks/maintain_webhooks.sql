-- Keeps the log of attempts to p_keep, and gives up what its window has passed by while its endpoint was off or dead.
-- It creates and drops a week's table, which only the owner may, so it runs with the owner's rights and takes nothing else in.
-- Tables that something long has in use are left to a later round: deliveries would queue up behind a lock that waits.
create or replace function maintain_webhooks(p_keep interval) returns integer language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  week_ timestamptz;
  begin_ timestamptz;
  part_ record;
  expired_ integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('maintain_webhooks', 0)) then
    return 0;
  end if;
  begin
    for ahead_ in 0..2 loop
      week_ := date_trunc('week', now(), 'UTC') + ahead_ * interval '7 days';
      continue when to_regclass('webhook_attempts_' || to_char(week_ at time zone 'UTC', 'YYYYMMDD')) is not null;
      -- attempts that came before their table stay in the default one, and the table begins after them
      begin_ := case when exists (select 1 from webhook_attempts_rest where started_at >= week_ and started_at < week_ + interval '7 days')
        then greatest(week_, date_trunc('hour', clock_timestamp()) + interval '2 hours') else week_ end;
      if begin_ < week_ + interval '7 days'
        and not exists (select 1 from webhook_attempts_rest where started_at >= begin_ and started_at < week_ + interval '7 days') then
        execute format('create table %I partition of webhook_attempts for values from (%L) to (%L)',
          'webhook_attempts_' || to_char(week_ at time zone 'UTC', 'YYYYMMDD'), begin_, week_ + interval '7 days');
      end if;
    end loop;
    for part_ in
      select c.relname, right(c.relname, 8)::date::timestamp at time zone 'UTC' as from_at
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'webhook_attempts'::regclass and c.relname ~ '^webhook_attempts_\d{8}$'
    loop
      if part_.from_at + interval '7 days' < now() - p_keep then
        execute format('drop table %I', part_.relname);
      end if;
    end loop;
  exception when lock_not_available then
    null;
  end;
  delete from webhook_attempts_rest where started_at < now() - p_keep;

  update webhook_deliveries set status = 'exhausted', finished_at = clock_timestamp()
  where status = 'pending' and coalesce(window_started_at, queued_at) < now() - interval '73 hours' and next_attempt_at < now() + interval '1 minute';
  get diagnostics expired_ = row_count;
  delete from webhook_deliveries where status <> 'pending' and created_at < now() - p_keep and finished_at < now() - p_keep;
  return expired_;
end $$;

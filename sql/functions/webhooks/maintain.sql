-- The regular maintenance of webhooks. The recovery of deliveries is in deliveries.sql.

-- Keeps the log of attempts for p_keep, and gives up deliveries whose window has passed while their
-- endpoint was off or unreachable. It creates and drops the partition of a week, which only the
-- owner may do, so it runs with the owner's rights. A partition that is in use is left to a later
-- run.
create or replace function maintain_webhooks(p_keep interval)
returns integer language plpgsql security definer
-- The search path is fixed, because the function runs with the owner's rights. The lock timeout is
-- short, because deliveries would queue up behind a lock that waits.
set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  v_week timestamptz;
  v_begin timestamptz;
  v_part record;
  v_expired integer;
  v_now timestamptz := clock_timestamp();
begin
  if not pg_try_advisory_xact_lock(hashtextextended('maintain_webhooks', 0)) then
    return 0;
  end if;
  begin
    for v_ahead in 0..2 loop
      v_week := date_trunc('week', now(), 'UTC') + v_ahead * interval '7 days';
      continue when to_regclass('webhook_attempts_'
        || to_char(v_week at time zone 'UTC', 'YYYYMMDD')) is not null;
      -- attempts that came before their table stay in the default one, and the table begins after
      -- them
      v_begin := case when exists (select 1 from webhook_attempts_rest
        where started_at >= v_week and started_at < v_week + interval '7 days')
        then greatest(v_week, date_trunc('hour', clock_timestamp()) + interval '2 hours')
          else v_week end;
      if v_begin < v_week + interval '7 days'
        and not exists (select 1 from webhook_attempts_rest
          where started_at >= v_begin and started_at < v_week + interval '7 days') then
        execute format('create table %I partition of webhook_attempts for values from (%L) to (%L)',
          'webhook_attempts_' || to_char(v_week at time zone 'UTC', 'YYYYMMDD'), v_begin,
            v_week + interval '7 days');
      end if;
    end loop;
    for v_part in
      select partition.relname, right(partition.relname, 8)::date::timestamp at time zone 'UTC'
        as from_at
      from pg_inherits child join pg_class partition on partition.oid = child.inhrelid
      where child.inhparent = 'webhook_attempts'::regclass
        and partition.relname ~ '^webhook_attempts_\d{8}$'
    loop
      if v_part.from_at + interval '7 days' < now() - p_keep then
        execute format('drop table %I', v_part.relname);
      end if;
    end loop;
  exception when lock_not_available then
    null;
  end;
  delete from webhook_attempts_rest where started_at < now() - p_keep;

  update webhook_deliveries set status = 'exhausted', finished_at = v_now
  where status = 'pending' and coalesce(window_started_at, queued_at) < now() - interval '73 hours'
    and next_attempt_at < now() + interval '1 minute';
  get diagnostics v_expired = row_count;
  delete from webhook_deliveries where status <> 'pending' and created_at < now() - p_keep
    and finished_at < now() - p_keep;
  return v_expired;
end $$;

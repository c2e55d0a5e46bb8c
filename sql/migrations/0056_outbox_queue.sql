-- What waits for the relay, in narrow rows. The relay used to mark an event in outbox_events, which wrote its whole row of about
-- 1 kB and its index entries again; it now removes a row here. A trigger fills the table, whoever raises the event: functions of the
-- release before, a call of them that runs while they are replaced, and those that a roll-back puts back. Creating it waits for the
-- transactions that have raised events, so the carry-over (0057) misses none.
create table outbox_queue (
  operator_id id not null,
  event_id id not null,
  type text not null,
  created_at timestamptz not null,
  primary key (operator_id, event_id)
) with (
  -- rows live for moments; giving pages back would lock the table
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false
);
create index outbox_queue_by_age on outbox_queue (event_id);

-- Who raises events fills the queue from the next statement on; grants are applied only after all migrations.
do $$
declare
  service text;
begin
  for service in
    select distinct quote_ident(grantee) from information_schema.role_table_grants
    where table_schema = 'public' and table_name = 'outbox_events' and privilege_type = 'INSERT' and grantee <> current_user
  loop
    execute format('grant select, insert, update, delete on outbox_queue to %s', service);
  end loop;
end $$;

-- An operator that another cell holds is copied with its own queue (docs/cells.md).
create function queue_outbox_events() returns trigger language plpgsql as $$
begin
  insert into outbox_queue (operator_id, event_id, type, created_at)
  select raised.operator_id, raised.event_id, raised.type, raised.created_at from raised
  where raised.operator_id <> all (array(
    select move.operator_id::text from operator_moves move where move.state in ('left', 'arriving', 'cancelled')));
  return null;
end $$;

create trigger outbox_queue after insert on outbox_events referencing new table as raised
  for each statement execute function queue_outbox_events();

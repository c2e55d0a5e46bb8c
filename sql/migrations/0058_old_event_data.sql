-- The data of old webhook events, apart from the events, so that it can be on another disk (docs/old-facts.md). The event itself stays:
-- its key keeps it from being raised twice. A month has a partition of its own; the owner of the tables makes it and moves the data.
create table old_event_data (
  operator_id id not null,
  event_id id not null,
  data json not null,
  primary key (operator_id, event_id)
) partition by range (event_id);
create table old_event_data_rest partition of old_event_data default;

create trigger old_event_data_append_only before update or delete on old_event_data
  for each row execute function refuse_change();
create trigger old_event_data_keep before truncate on old_event_data
  for each statement execute function refuse_change();
create trigger old_event_data_rest_keep before truncate on old_event_data_rest
  for each statement execute function refuse_change();

-- Who reads events reads their data from the next statement on; grants are applied only after all migrations.
do $$
declare
  service text;
begin
  for service in
    select distinct quote_ident(grantee) from information_schema.role_table_grants
    where table_schema = 'public' and table_name = 'outbox_events' and privilege_type = 'INSERT' and grantee <> current_user
  loop
    execute format('grant select, insert on old_event_data to %s', service);
  end loop;
end $$;

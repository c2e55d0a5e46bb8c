-- What the service's own role may do; applied after every change of the schema. :service is that role.
-- It reads and writes rows. It owns nothing, and cannot change or remove what is append-only, even if its own code is wrong.
grant usage on schema public, graphile_worker to :service;
grant select, insert, update, delete on all tables in schema public, graphile_worker to :service;
grant usage, select on all sequences in schema public, graphile_worker to :service;
grant execute on all functions in schema public, graphile_worker to :service;

do $$
declare
  append_only regclass;
begin
  -- append-only is what carries the refusing trigger, partitions included
  for append_only in
    select distinct t.tgrelid::regclass from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname = 'refuse_change'
  loop
    execute format('revoke update, delete, truncate on %s from :service', append_only);
  end loop;
end $$;

revoke insert, update, delete on schema_migrations from :service;

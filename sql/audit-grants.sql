-- Rights of the auditor's role, if it has a separate one: it reads everything, and writes only its own books, which then no other role
-- writes. :auditor is the role; applied after the grants of the other roles.
grant usage on schema public, audit to :auditor;
grant select on all tables in schema public, audit to :auditor;
grant insert, update, delete on all tables in schema audit to :auditor;
grant usage on all sequences in schema audit to :auditor;
grant execute on function write_books, replace_books, row_digest to :auditor;

do $$
declare
  walled regclass;
  written boolean;
begin
  for walled, written in
    select c.oid, c.relnamespace = 'audit'::regnamespace from pg_class c
    where c.relrowsecurity and c.relnamespace in ('public'::regnamespace, 'audit'::regnamespace)
      and not exists (select from pg_policy p where p.polrelid = c.oid and ':auditor'::regrole = any (p.polroles))
  loop
    execute format('create policy %I on %s %s to :auditor using (true) %s', 'auditor ' || ':auditor'::regrole::text, walled,
      case when written then '' else 'for select' end, case when written then 'with check (true)' else '' end);
  end loop;
end $$;

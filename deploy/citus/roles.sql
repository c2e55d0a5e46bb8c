-- The roles of Inlay on all servers of deploy/citus. Once, when all groups run, as the superuser through HAProxy:
--   psql "postgres://postgres@127.0.0.1:5000/inlay" -v owner=... -v service=... -v admin=... -v auditor=... -v tenant=... -f roles.sql
-- The values are passwords of their own. Only the servers need the tenant's.
\set ON_ERROR_STOP on

-- Citus makes on the workers what is made here.
create role inlay_owner login createrole password :'owner';
create role inlay_service login bypassrls password :'service';
create role inlay_admin login bypassrls password :'admin';
create role inlay_auditor login bypassrls password :'auditor';
create role inlay_tenant login password :'tenant';
grant inlay_tenant to inlay_service, inlay_admin;
grant pg_monitor to inlay_service;
alter database inlay owner to inlay_owner;

-- Each administrator has a login of their own (docs/operations.md): create role ann login bypassrls password '...' in role inlay_admin,
-- and a row for it below.

-- The servers log in to each other as the role whose statement it is. Again when a group was added; each server answers INSERT 0 1.
select role, nodeid, success, result
from (values
    ('inlay_owner', :'owner'), ('inlay_service', :'service'), ('inlay_admin', :'admin'),
    ('inlay_auditor', :'auditor'), ('inlay_tenant', :'tenant')) as roles (role, password),
  run_command_on_all_nodes(format(
    'insert into pg_dist_authinfo values (0, %L, %L) on conflict do nothing', role, 'password=' || password)) as answers;

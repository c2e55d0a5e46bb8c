#!/bin/sh
# Run once by the image of PostgreSQL, when it makes the cluster: the four roles of the service (docs/settings.md). The superuser is
# used for this alone; passwords come from the secrets of compose.yaml.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\set owner `cat /run/secrets/owner_password`
\set service `cat /run/secrets/service_password`
\set audit `cat /run/secrets/audit_password`
create role inlay_owner login password :'owner';
create role inlay_service login password :'service';
-- the team of administrators; each of them has a login of their own (compose.yaml)
create role inlay_admin nologin;
create role inlay_auditor login password :'audit';
create role inlay_tenant nologin;
grant inlay_tenant to inlay_service, inlay_admin;
create database inlay owner inlay_owner;
revoke connect, temporary on database inlay from public;
grant connect, temporary on database inlay to inlay_service, inlay_admin, inlay_auditor;
SQL

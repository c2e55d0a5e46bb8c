#!/bin/sh
# restore-point.sh URL: marks one moment in the log of every server, with no statement half on one and half on another, and has the
# archive take it now. URL is the coordinator's, of a superuser, in the database of Inlay. Prints the name of the point. Run it every
# minute: what was acknowledged after the last point that is archived is lost with all servers.
set -eu
name=inlay-$(date -u +%Y%m%dT%H%M%SZ)
psql --dbname "$1" --no-psqlrc --quiet --set ON_ERROR_STOP=1 --output /dev/null \
  --command "select citus_create_restore_point('$name')" \
  --command "select pg_switch_wal()" \
  --command "select run_command_on_workers('select pg_switch_wal()')"
echo "$name"

#!/bin/sh
# restore.sh BASE WAL DATA NAME: makes DATA, a new folder, one server as it was at the restore point NAME (restore-point.sh). The method
# by which Patroni makes the first machine of a group, in patroni.yaml of that group; all groups with the same NAME:
#   bootstrap:
#     method: restore
#     restore:
#       command: /opt/inlay/deploy/citus/restore.sh /backup/1/base-20261128T040000Z /backup/wal-1 /var/lib/postgresql/15/inlay NAME
#       no_params: true
#       keep_existing_recovery_conf: true
set -eu
"$(dirname "$0")/../backup/restore.sh" "$1" "$2" "$3"
echo "recovery_target_name = '$4'" >>"$3/postgresql.auto.conf"

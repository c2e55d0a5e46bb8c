#!/bin/sh
# base-backup.sh FOLDER URL...: a verified copy of every server (deploy/backup/base-backup.sh), the coordinator's URL first, and then a
# restore point of one name on all of them. Each server archives its own log (deploy/backup/archive-wal.sh), into a folder of its own.
# Prints the name: a restore to it puts all servers back to the same moment, with no statement half on one and half on another.
set -eu
folder=$1
shift
coordinator=$1
here=$(dirname "$0")
number=0
for url in "$@"; do
  mkdir -p "$folder/$number"
  "$here/../backup/base-backup.sh" "$url" "$folder/$number" >&2
  number=$((number + 1))
done
name=inlay-$(date -u +%Y%m%dT%H%M%SZ)
psql --dbname "$coordinator" --no-psqlrc --quiet --set ON_ERROR_STOP=1 --output /dev/null \
  --command "select citus_create_restore_point('$name')"
echo "$name"

#!/bin/sh
# base-backup.sh FOLDER URL...: a verified copy of every server (deploy/backup/base-backup.sh), each in a folder of its own: 0 the
# coordinator, 1 and up the workers. Each URL names the replicator of that group. Each server archives its own log
# (deploy/backup/archive-wal.sh), into a folder that only its group has. Run it daily; a copy is restored to a later point of
# restore-point.sh.
# The checksums of pages are not looked at meanwhile: PostgreSQL 15 fails over names of files that Citus makes for a moment ("invalid
# segment number").
set -eu
folder=$1
shift
number=0
for url in "$@"; do
  mkdir -p "$folder/$number"
  "$(dirname "$0")/../backup/base-backup.sh" "$url" "$folder/$number" --no-verify-checksums
  number=$((number + 1))
done

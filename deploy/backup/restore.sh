#!/bin/sh
# restore.sh BASE WAL DATA [TIME]: makes DATA, a new folder, the cluster as it was at TIME ("2026-11-22 18:40:00+00"), or as
# late as the archive goes. Start PostgreSQL on it; it replays the log and opens on a new timeline.
set -eu
base=$1 wal=$2 data=$3 time=${4:-}
if [ -e "$data" ]; then
  echo "$data exists; a restore needs a new folder" >&2
  exit 1
fi
cp -a "$base" "$data"
chmod 0700 "$data"
{
  echo "restore_command = 'cp \"$wal/%f\" \"%p\"'"
  echo "recovery_target_action = 'promote'"
  if [ -n "$time" ]; then
    echo "recovery_target_time = '$time'"
  fi
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"

#!/bin/sh
# base-backup.sh URL FOLDER [OPTION...]: a verified copy of the whole cluster, while it works. URL names a role with REPLICATION.
# Further options are those of pg_basebackup. Prints the folder of the backup. Run it daily, and on a standby if there is one.
set -eu
url=$1 folder=$2
shift 2
name=base-$(date -u +%Y%m%dT%H%M%SZ)
pg_basebackup --dbname "$url" --pgdata "$folder/$name.part" --checkpoint fast --wal-method stream --no-password "$@"
pg_verifybackup --quiet "$folder/$name.part"
mv "$folder/$name.part" "$folder/$name"
echo "$folder/$name"

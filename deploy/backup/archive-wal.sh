#!/bin/sh
# archive_command = '/opt/inlay/deploy/backup/archive-wal.sh "%p" "%f" /backup/wal'
# Keeps one segment of the write-ahead log, on disk before PostgreSQL removes its own copy. Never replaces a different file.
set -eu
from=$1 name=$2 folder=$3
if [ -e "$folder/$name" ]; then
  cmp -s "$from" "$folder/$name"
  exit
fi
cp "$from" "$folder/.$name.part"
sync "$folder/.$name.part"
mv "$folder/.$name.part" "$folder/$name"
sync "$folder"

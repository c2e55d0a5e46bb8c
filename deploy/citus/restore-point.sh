#!/bin/sh
# restore-point.sh URL: marks one moment in the log of every server, with no statement half on one and half on another, and has the
# archive take it now. URL is the coordinator's, of a superuser, in the database of Inlay. Prints the name of the point. Run it every
# minute: what was acknowledged after the last point that is archived is lost with all servers.
#
# citus_create_restore_point holds back the statements that write on several servers, and marks the coordinator before the workers. So all
# writes of operators are held back meanwhile, on both ways to a shard: with the lock that a move of a shard takes (7, exclusive), on the
# coordinator and, by a query that reaches all shards over one connection a server, on the workers.
set -eu
name=inlay-$(date -u +%Y%m%dT%H%M%SZ)
psql --dbname "$1" --no-psqlrc --quiet --set ON_ERROR_STOP=1 --output /dev/null <<SQL
select array_agg(shardid) as shards from pg_dist_shard \gset
begin;
set local lock_timeout = '2s';
set local citus.max_adaptive_executor_pool_size = 1;
select lock_shard_metadata(7, :'shards');
select bool_or(lock_shard_metadata(7, :'shards') is null) from operator_ledgers;
select citus_create_restore_point('$name');
commit;
select pg_switch_wal();
select run_command_on_workers('select pg_switch_wal()');
SQL
echo "$name"

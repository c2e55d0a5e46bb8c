/** Standbys, slots, timeline, archive and unlogged tables for `doctor`, read in one statement. */
import type { Sql } from './client.ts';

export interface StandbyState {
  /** Null if the role may not see it (`pg_monitor`). */
  readonly name: string | null;
  /** `sync`, `quorum`, `potential` or `async`; null if hidden. */
  readonly sync: string | null;
  /** Bytes of the log that it has not yet made durable; null if hidden. */
  readonly behindBytes: number | null;
  /** Seconds by which its answers are late; null if nothing is written, or hidden. */
  readonly lagSeconds: number | null;
}

export interface SlotState {
  readonly name: string;
  readonly active: boolean;
  /** Bytes of the log that the server keeps for it. */
  readonly keptBytes: number;
  /** `reserved`, `extended`, `unreserved` or `lost`. */
  readonly walStatus: string;
}

export interface ReplicationState {
  readonly standbys: readonly StandbyState[];
  readonly slots: readonly SlotState[];
  readonly timeline: number;
  /** Tables that a crash or a fail-over empties. */
  readonly unlogged: readonly string[];
  readonly archiving: boolean;
  /** Seconds since a segment was archived; null if none was. */
  readonly archivedSecondsAgo: number | null;
  /** Whether the last attempt to archive failed. */
  readonly archiveFails: boolean;
}

/** On a primary only; a server in recovery refuses to say where its log ends. */
export async function inspectReplication(sql: Sql): Promise<ReplicationState> {
  const [row] = await sql<[ReplicationState]>`
    select
      (select coalesce(json_agg(json_build_object('name', case when state is null then null else application_name end,
          'sync', sync_state, 'behindBytes', pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn),
          'lagSeconds', extract(epoch from replay_lag)) order by application_name), '[]')
        from pg_stat_replication where state is null or state in ('streaming', 'catchup')) as standbys,
      (select coalesce(json_agg(json_build_object('name', slot_name, 'active', active,
          'keptBytes', coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0),
          'walStatus', coalesce(wal_status, 'reserved')) order by slot_name), '[]') from pg_replication_slots) as slots,
      (select timeline_id from pg_control_checkpoint()) as timeline,
      (select coalesce(json_agg(c.oid::regclass::text order by c.relname), '[]') from pg_class c
        where c.relpersistence = 'u' and c.relkind in ('r', 'p')) as unlogged,
      current_setting('archive_mode') <> 'off' as archiving,
      (select extract(epoch from clock_timestamp() - last_archived_time)::float8 from pg_stat_archiver) as "archivedSecondsAgo",
      (select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) from pg_stat_archiver) as "archiveFails"`;
  return row;
}

/**
 * The database as `inlay doctor` reports it: reads its settings and its replication, and describes which commits survive a
 * crash, the loss of the server and the loss of the primary. It changes nothing.
 */
import type { Sql } from './client.ts';

interface DurabilitySettings {
  /** Settings that are off and without which a crash may lose commits. */
  readonly unsafe: readonly string[];
  /** `synchronous_standby_names`; if empty, no commit waits for a standby. */
  readonly standbyNames: string;
  /** `synchronous_commit`. */
  readonly commit: string;
  readonly inRecovery: boolean;
}

export interface DatabaseState extends DurabilitySettings {
  readonly role: string;
  /** Whether the role owns the tables, so that it could change append-only tables. */
  readonly owns: boolean;
  /** Whether the role is prevented from changing the journal. */
  readonly keptFromLedger: boolean;
  /** Whether the role may do anything on this server, a shell included. */
  readonly superuser: boolean;
  /** Whether the role may write the auditor's books. */
  readonly writesAudit: boolean;
  /** Roles of the auditor. */
  readonly auditors: readonly string[];
  readonly now: Date;
  readonly connections: number;
  readonly maxConnections: number;
}

/** @returns for example 180004 for 18.4 */
export async function readVersion(sql: Sql): Promise<number> {
  const [row] = await sql<[{ version: number }]>`select current_setting('server_version_num')::int as version`;
  return row.version;
}

/**
 * Reads the settings of the server and the rights of the role in one statement.
 * @throws PostgresError if the schema is missing
 */
export async function inspectDatabase(sql: Sql): Promise<DatabaseState> {
  const [row] = await sql<[DatabaseState]>`
    select current_user as role,
           pg_has_role(current_user, c.relowner, 'usage') as owns,
           not has_table_privilege(current_user, c.oid, 'update') as "keptFromLedger",
           (select rolsuper from pg_roles where rolname = current_user) as superuser,
           has_table_privilege(current_user, 'audit.progress', 'update') as "writesAudit",
           array(select known.role::text from auditor_roles known order by known.role) as auditors,
           array_remove(array[
             case when current_setting('fsync') = 'off' then 'fsync' end,
             case when current_setting('full_page_writes') = 'off' then 'full_page_writes' end,
             case when current_setting('synchronous_commit') = 'off' then 'synchronous_commit' end], null) as unsafe,
           current_setting('synchronous_standby_names') as "standbyNames",
           current_setting('synchronous_commit') as commit,
           pg_is_in_recovery() as "inRecovery",
           clock_timestamp() as now,
           (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
           current_setting('max_connections')::int as "maxConnections"
      from pg_class c where c.oid = 'journal'::regclass`;
  return row;
}

interface StandbyState {
  /** Null if the role may not see it (`pg_monitor`). */
  readonly name: string | null;
  /** `sync`, `quorum`, `potential` or `async`; null if hidden. */
  readonly sync: string | null;
  /** Bytes of the log that it has not yet made durable; null if hidden. */
  readonly behindBytes: number | null;
  /** Seconds by which its replies are late; null if nothing is written, or hidden. */
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

/**
 * Reads standbys, slots, timeline, archive and unlogged tables in one statement, on a primary only: a server in recovery
 * does not report where its log ends.
 */
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

export interface Durability {
  readonly ok: boolean;
  /** Whether the result is only a warning: a single server cannot keep more. */
  readonly warning: boolean;
  readonly detail: string;
}

/**
 * Describes which commits survive a crash of the server, and its loss. Pure.
 * @param single whether the server is meant to run alone, as the embedded one does
 */
export function describeDurability(settings: DurabilitySettings, single: boolean): Durability {
  const { unsafe, standbyNames, commit, inRecovery } = settings;
  if (inRecovery) {
    return {
      ok: false,
      warning: false,
      detail: 'the server is in recovery (a standby, or being promoted): it accepts no orders',
    };
  }
  if (unsafe.length > 0) {
    return { ok: false, warning: false, detail: `a crash may lose commits: ${unsafe.join(', ')} off` };
  }
  if (standbyNames === '' || commit === 'local') {
    const why = standbyNames === '' ? 'synchronous_standby_names is empty' : 'synchronous_commit is local';
    return {
      ok: single,
      warning: true,
      detail: `commits survive a crash; if the server is lost, commits that no standby has are lost (${why})`,
    };
  }
  return {
    ok: true,
    warning: false,
    detail: `commits survive a crash and the loss of the server: each waits for ${standbyNames}`,
  };
}

export interface LossCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly warning: boolean;
  readonly detail: string;
}

export interface LossSettings {
  /** `synchronous_standby_names`. */
  readonly standbyNames: string;
  /** `synchronous_commit`. */
  readonly commit: string;
  /** Whether the server is meant to run alone, as the embedded one does. */
  readonly single: boolean;
}

const WAITS_FOR_STANDBY = new Set(['on', 'remote_write', 'remote_apply']);
const MOST_KEPT_BYTES = 1024 ** 3;
const MOST_LAG_SECONDS = 10;
/** A segment is archived when it is full, or after `archive_timeout`. */
const ARCHIVE_LATE_SECONDS = 3_600;

/** Describes what would be lost if the primary died now, and any fault of its standbys and its archive. Pure. */
export function describeLoss(state: ReplicationState, settings: LossSettings): LossCheck[] {
  return [describeDeath(state, settings), describeStandbys(state, settings), describeArchive(state, settings)];
}

function describeDeath(
  { standbys, archiving, unlogged, timeline }: ReplicationState,
  settings: LossSettings,
): LossCheck {
  const waits = settings.standbyNames !== '' && WAITS_FOR_STANDBY.has(settings.commit);
  const synchronous = standbys.filter(({ sync }) => sync === 'sync' || sync === 'quorum');
  const after = `timeline ${timeline}; a crash empties ${unlogged.join(', ') || 'no table'}`;
  if (waits && synchronous.length > 0) {
    const on = settings.commit === 'remote_write' ? ' (in memory there, not yet on disk)' : '';
    const detail = `if the primary dies now, no acknowledged commit is lost: ${names(synchronous)} has them all${on}; ${after}`;
    return finding('loss', true, detail);
  }
  if (waits) {
    const detail = hidden(standbys)
      ? 'which standbys are synchronous is not visible: grant pg_monitor to the role'
      : 'commits wait for a synchronous standby and none is connected: orders are 503 until one is';
    return finding('loss', hidden(standbys), `${detail}; ${after}`, hidden(standbys));
  }
  const best = [...standbys].sort((a, b) => (a.behindBytes ?? Infinity) - (b.behindBytes ?? Infinity))[0];
  const lost =
    best === undefined
      ? archiving
        ? 'everything since the last archived segment'
        : 'everything since the last backup, unless its disk survives'
      : `what ${best.name ?? 'a standby'} has not received (${best.behindBytes ?? '?'} bytes now)`;
  return finding('loss', settings.single, `if the primary dies now, this is lost: ${lost}; ${after}`);
}

function describeStandbys({ standbys, slots }: ReplicationState, { single }: LossSettings): LossCheck {
  const late = standbys.filter(({ lagSeconds }) => (lagSeconds ?? 0) > MOST_LAG_SECONDS);
  const bad = slots.filter(
    ({ active, keptBytes, walStatus }) =>
      walStatus === 'lost' || walStatus === 'unreserved' || (!active && keptBytes > MOST_KEPT_BYTES),
  );
  const parts = [
    standbys.length === 0 ? 'no standby' : `standbys ${standbys.map(describeStandby).join(', ')}`,
    ...bad.map(
      ({ name, keptBytes, walStatus }) =>
        `slot ${name} keeps ${megabytes(keptBytes)} of the log that no standby reads (${walStatus}); drop it if its standby is gone`,
    ),
  ];
  return finding(
    'standbys',
    late.length === 0 && bad.length === 0 && (single || standbys.length > 0),
    parts.join('; '),
  );
}

function describeArchive(
  { archiving, archiveFails, archivedSecondsAgo }: ReplicationState,
  { single }: LossSettings,
): LossCheck {
  if (!archiving) {
    return finding(
      'archive',
      single,
      'the log is not archived: a restore reaches the last base backup and no later moment',
    );
  }
  if (archiveFails) {
    return finding('archive', false, 'archive_command fails: the log stays on this disk until it is full');
  }
  const late = archivedSecondsAgo === null || archivedSecondsAgo > ARCHIVE_LATE_SECONDS;
  const ago = archivedSecondsAgo === null ? 'never' : `${Math.round(archivedSecondsAgo)} s ago`;
  return finding('archive', !late, `the log was archived ${ago}${late ? '; set archive_timeout' : ''}`);
}

function describeStandby({ name, sync, behindBytes, lagSeconds }: StandbyState): string {
  const lag = lagSeconds === null ? '' : `, ${Math.round(lagSeconds * 10) / 10} s late`;
  return name === null ? 'one that is hidden' : `${name} (${sync}, ${behindBytes ?? '?'} bytes behind${lag})`;
}

const finding = (name: string, ok: boolean, detail: string, warning = true): LossCheck => ({
  name,
  ok,
  warning,
  detail,
});
const hidden = (standbys: readonly StandbyState[]): boolean => standbys.some(({ name }) => name === null);
const names = (standbys: readonly StandbyState[]): string => standbys.map(({ name }) => name).join(', ');
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`;

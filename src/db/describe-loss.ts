/** What would be lost if the primary died now, and what is wrong with its standbys, as text for `doctor`. Pure. */
import type { ReplicationState, StandbyState } from './inspect-replication.ts';

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

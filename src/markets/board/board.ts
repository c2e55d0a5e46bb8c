/**
 * The board: catalogue and books in the memory of an API process, synchronised with the database by revision numbers.
 * Notifications only cause a read of newer revisions, so no row is missed if one is lost. While the database is not
 * available, the board serves what it has. It holds no money.
 */
import type { Logger } from '../../core/log.ts';
import type { Clock } from '../../core/time.ts';
import type { Sql } from '../../db/client.ts';
import { logFailures } from '../../db/failure-log.ts';
import type { Listener } from '../../db/listener.ts';
import type { BoardContract, BoardEvent } from '../event.ts';
import { readBoardRows } from './board-rows.ts';
import { type BoardChange, BoardState, type VenueFeed } from './board-state.ts';

export interface Board {
  /**
   * The revision of the database that the board shows. Objects are replaced, never changed, so the same object is
   * unchanged.
   */
  readonly revision: bigint;
  readonly events: ReadonlyMap<string, BoardEvent>;
  readonly contracts: ReadonlyMap<string, BoardContract>;
  readonly feeds: ReadonlyMap<string, VenueFeed>;
  eventBySlug(slug: string): BoardEvent | undefined;
  /**
   * Seconds since the venue last confirmed this book. A live connection with heartbeats confirms unchanged books. The
   * age is measured on the database's clock, so that a wrong clock here makes no price look fresh. Infinity if the
   * venue has no book of the contract.
   */
  ageSeconds(contract: BoardContract, venue: string, now: Date): number;
  /** False while the feed of the venue is down, whatever the age of its books (`venue_feeds`). */
  isConnected(venue: string): boolean;
  /** Converts our time to the clock of the database. */
  databaseTime(now: Date): Date;
  /** Seconds since the board last read from the database. */
  staleSeconds(now: Date): number;
  /** Reads newer rows. Resolves when the board shows everything that was committed before the call. */
  refresh(): Promise<void>;
  /** @returns a function that ends the subscription */
  onChange(listener: (change: BoardChange) => void): () => void;
  close(): Promise<void>;
}

interface BoardParts {
  readonly sql: Sql;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly log: Logger;
}

const CHANNEL = 'board';
/** Ingestion notifies about once a second. After a longer silence the board reads without a notification. */
const SILENCE_MS = 2_000;
const WATCHDOG_MS = 1_000;
const DROP_AGED_MS = 600_000;

/**
 * Loads the board and keeps it synchronised until it is closed.
 *
 * @throws if the database cannot be read
 */
export async function openBoard({ sql, listener, clock, log }: BoardParts): Promise<Board> {
  const state = new BoardState();
  const trouble = logFailures(log, 'board', 'the board could not read the database; it serves the data it has');
  const listeners = new Set<(change: BoardChange) => void>();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let lastPulledAt = 0;
  let lastDroppedAt = clock.now().getTime();
  let closed = false;

  function tell(change: BoardChange): void {
    if (change.contracts.size === 0 && change.events.size === 0) {
      return;
    }
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        log.error({ err: error }, 'a listener of the board failed; it missed a change');
      }
    }
  }

  async function pull(): Promise<void> {
    const since = state.revision < 0n ? null : state.revision;
    const askedAt = clock.now();
    const rows = await readBoardRows(sql, since, askedAt);
    state.measureClock(rows, askedAt);
    const now = clock.now();
    lastPulledAt = now.getTime();
    // After a restore, the database at the same address may have an older revision. Everything is read again then.
    const behind = since !== null && BigInt(rows.revision) < since;
    const change = since === null ? state.replace(rows) : behind ? null : state.apply(rows);
    tell(change ?? state.replace(await readBoardRows(sql, null, now)));
    if (now.getTime() - lastDroppedAt > DROP_AGED_MS) {
      lastDroppedAt = now.getTime();
      tell(state.dropAged(now));
    }
  }

  /** One read is in flight at a time. Calls that arrive meanwhile share the next one. */
  function refresh(): Promise<void> {
    if (running === undefined) {
      running = pull().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return refresh();
      });
    return next;
  }

  function follow(): void {
    if (closed || next !== undefined) {
      return;
    }
    refresh().then(trouble.over, (error: unknown) => {
      if (!closed) {
        trouble.failed(error);
      }
    });
  }

  await refresh();
  const unlisten = listener.listen(CHANNEL, { onNotification: follow, onConnected: follow });
  const watchdog = setInterval(() => {
    if (clock.now().getTime() - lastPulledAt > SILENCE_MS) {
      follow();
    }
  }, WATCHDOG_MS);
  watchdog.unref();

  return {
    get revision() {
      return state.revision;
    },
    events: state.events,
    contracts: state.contracts,
    feeds: state.feeds,
    eventBySlug: (slug) => state.eventBySlug(slug),
    ageSeconds: (contract, venue, now) => state.ageSeconds(contract.contractId, venue, now),
    isConnected: (venue) => state.feeds.get(venue)?.connected !== false,
    databaseTime: (now) => state.databaseTime(now),
    staleSeconds: (now) => Math.max(0, now.getTime() - lastPulledAt) / 1000,
    refresh,
    onChange(added) {
      listeners.add(added);
      return () => listeners.delete(added);
    },
    async close() {
      closed = true;
      clearInterval(watchdog);
      listeners.clear();
      unlisten();
      await running?.catch(() => {});
    },
  };
}

/**
 * Notifies boards of a new revision, and settlement of results that changed. It is called after the commit and never in
 * a statement that moves money. If a notification is lost, a second passes until boards and settlement poll.
 *
 * @param resolved ids of contracts whose result changed
 */
export async function notify(sql: Sql, revision: bigint, resolved: readonly string[]): Promise<void> {
  await sql`
    select pg_notify('board', ${revision.toString()})
    union all select pg_notify('resolved', contract_id) from unnest(${resolved as string[]}::text[]) contract_id`;
}

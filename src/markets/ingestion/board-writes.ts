/**
 * Collects the reports of venues and writes them to the board under the leadership of ingestion. One call of
 * `ingest_board` is in flight. The next one takes the newest report of each subject that arrived meanwhile, so a burst
 * needs few statements, and memory is bounded by the number of listings while the database is not available.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../core/log.ts';
import type { Clock } from '../../core/time.ts';
import type { Sql } from '../../db/client.ts';
import { logFailures } from '../../db/failure-log.ts';
import type { Fence } from '../../db/lease.ts';
import { notify } from '../board/board.ts';
import {
  BOOK_ROW,
  type BookRow,
  COIN_ROW,
  type CoinRow,
  type IngestRow,
  rememberRows,
  VENUE_FEED_STATE,
  type VenueFeedState,
} from './ingest-rows.ts';

export interface BoardWrites {
  /** Rows that equal the last written ones are dropped. */
  events(rows: readonly IngestRow[]): void;
  contracts(rows: readonly IngestRow[]): void;
  books(rows: readonly BookRow[]): void;
  coin(row: CoinRow): void;
  feed(state: VenueFeedState): void;
  /**
   * Withdraws the unresolved contracts of a venue that its catalogue no longer lists.
   * @param listed ids of all its listings
   */
  withdrawUnlisted(venue: string, rank: number, listed: readonly string[]): Promise<number>;
  /** Forgets the rows last written for a venue's events and listings that its catalogue no longer contains. */
  forgetUnlisted(venue: string, listed: Listed): void;
  /** How many rows are remembered, so that they are not written twice. */
  readonly remembered: number;
  /** @returns ids of listings of the venue whose result is needed (`held_listings`) */
  heldListings(venue: string): Promise<string[]>;
  /**
   * Resolves when everything that was passed in before is committed. That may take until the database is available
   * again.
   *
   * @throws on `close`
   */
  settled(): Promise<void>;
  /** For how many milliseconds the oldest write has been waiting for its commit; 0 if no write waits. */
  stalledMs(): number;
  /**
   * Resolves when the database refused a write because another process leads ingestion. Nothing is written from then
   * on.
   */
  readonly superseded: Promise<void>;
  /** Ends all writing. Resolves when the call in flight has ended. */
  close(): Promise<void>;
}

/** The present catalogue of a venue: our ids of its events, and the venue's ids of its listings. */
interface Listed {
  readonly events: readonly string[];
  readonly listings: readonly string[];
}

/** How long reports are gathered, so that a busy venue needs few statements, and the books that an order has moved do not delay its response. */
const GATHER_MS = 30;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

export function openBoardWrites(parts: BoardStatementsParts): BoardWrites {
  const statements = createBoardStatements(parts);
  const trouble = logFailures(parts.log, 'ingestion', 'ingestion could not write; will retry');
  const { promise: superseded, resolve: supersede } = Promise.withResolvers<void>();
  let waitingSince: number | undefined;
  let pending = emptyPending();
  const newest = { events: rememberRows(), contracts: rememberRows() };
  let running: Promise<void> | undefined;
  let closed = false;

  function wake(): void {
    if (running !== undefined || closed) {
      return;
    }
    waitingSince = performance.now();
    running = drain().finally(() => {
      running = undefined;
      waitingSince = undefined;
      if (!isEmpty(pending)) {
        wake();
      }
    });
  }

  async function drain(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!isEmpty(pending) && !closed) {
      await sleep(GATHER_MS);
      const chunks = inChunks(pending);
      pending = emptyPending();
      try {
        for (let [chunk] = chunks; chunk !== undefined; [chunk] = chunks) {
          await statements.commit(chunk);
          trouble.over();
          for (const waiter of chunk.waiters) {
            waiter.resolve();
          }
          chunks.shift();
          waitingSince = performance.now();
          retryMs = FIRST_RETRY_MS;
        }
      } catch (error) {
        pending = chunks.reduceRight((newer, older) => merge(older, newer), pending);
        if (isSuperseded(error)) {
          stop('superseded');
          supersede();
          return;
        }
        trouble.failed(error);
        await sleep(retryMs);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    }
  }

  function stop(reason: string): void {
    closed = true;
    for (const waiter of pending.waiters.splice(0)) {
      waiter.reject(new Error(reason));
    }
  }

  function keep(kind: 'events' | 'contracts', rows: readonly IngestRow[]): void {
    for (const row of newest[kind].changed(rows)) {
      pending[kind].set(row.key, row);
    }
    wake();
  }

  return {
    events: (rows) => keep('events', rows),
    contracts: (rows) => keep('contracts', rows),
    books(rows) {
      for (const row of rows) {
        pending.books.set(`${row.venue}:${row.listingId}`, row);
      }
      wake();
    },
    coin(row) {
      pending.coins.set(row.eventId, row);
      wake();
    },
    feed(state) {
      pending.feeds.set(state.venue, state);
      wake();
    },
    async withdrawUnlisted(venue, rank, listed) {
      const withdrawn = await statements.withdrawUnlisted(venue, rank, listed);
      // If they are listed again, they must be written even if their content is the same.
      for (const listingId of withdrawn) {
        newest.contracts.forget(`${venue}:${listingId}`);
      }
      return withdrawn.length;
    },
    heldListings: statements.heldListings,
    forgetUnlisted(venue, { events, listings }) {
      newest.events.forgetOthers(venue, events);
      newest.contracts.forgetOthers(venue, listings);
    },
    get remembered() {
      return newest.events.size + newest.contracts.size;
    },
    settled() {
      // The batch with this waiter is committed after the call in flight, and with all rows that wait now.
      return new Promise<void>((resolve, reject) => {
        if (closed) {
          reject(new Error('closed'));
          return;
        }
        pending.waiters.push({ resolve, reject });
        wake();
      });
    },
    stalledMs: () => (waitingSince === undefined ? 0 : performance.now() - waitingSince),
    superseded,
    async close() {
      closed = true;
      await running?.catch(() => {});
      stop('closed');
    },
  };
}

interface BoardStatementsParts {
  readonly sql: Sql;
  readonly log: Logger;
  readonly clock: Clock;
  /** The leadership that every write carries; null for writes outside of ingestion. */
  readonly fence: Fence | null;
}

interface BoardStatements {
  /** Commits the rows. A row that the database refuses is logged and does not block the others. */
  commit(batch: Pending): Promise<void>;
  /** @returns ids of the listings whose contracts were withdrawn */
  withdrawUnlisted(venue: string, rank: number, listed: readonly string[]): Promise<readonly string[]>;
  heldListings(venue: string): Promise<string[]>;
}

/** The lease of the worker that follows the venues. Every write to the board carries its epoch. */
export const INGEST_LEASE = 'ingestion';

/** SQLSTATE of assert_lease. */
const SUPERSEDED = 'IN050';

/** The statements that write the board. Notifications are sent after the commit, in separate statements. */
function createBoardStatements({ sql, log, clock, fence }: BoardStatementsParts): BoardStatements {
  const [epoch, holder] = [fence?.epoch ?? null, fence?.holder ?? null];
  /** The smallest possible lead of the database's clock over ours, in milliseconds; measured with each write. */
  let aheadMs: number | undefined;

  async function write(batch: Pending): Promise<void> {
    if (aheadMs === undefined) {
      measureClock((await sql<{ at: Date }[]>`select clock_timestamp() as at`)[0]);
    }
    const payload = payloadOf(batch, aheadMs ?? 0);
    const [answer] = await sql<{ boardRevision: bigint; resolved: string[]; at: Date }[]>`
      select board_revision, resolved, clock_timestamp() as at
      from ingest_board(${payload}::text::jsonb, ${epoch}, ${holder})`;
    measureClock(answer);
    if (answer !== undefined) {
      await notify(sql, answer.boardRevision, answer.resolved);
    }
  }

  /**
   * The database's time is compared with the time of receipt, so that no book is recorded as confirmed later than it
   * was.
   */
  function measureClock(answer: { readonly at: Date } | undefined): void {
    if (answer !== undefined) {
      aheadMs = answer.at.getTime() - clock.now().getTime();
    }
  }

  async function writeOneByOne(batch: Pending): Promise<void> {
    for (const single of split(batch)) {
      try {
        await write(single);
      } catch (error) {
        if (!isRefusedData(error)) {
          throw error;
        }
        log.error({ err: error, rows: describe(single) }, 'the database refused rows reported by a venue');
      }
    }
  }

  return {
    async commit(batch) {
      if (rowsIn(batch) === 0) {
        return;
      }
      try {
        await write(batch);
      } catch (error) {
        if (!isRefusedData(error)) {
          throw error;
        }
        await writeOneByOne(batch);
      }
    },
    async withdrawUnlisted(venue, rank, listed) {
      const [row] = await sql<{ boardRevision: bigint; keys: string[] }[]>`
        select board_revision, keys from withdraw_unlisted(${venue}, ${rank}, ${listed as string[]}, ${epoch}, ${holder})`;
      if (row === undefined || row.keys.length === 0) {
        return [];
      }
      await notify(sql, row.boardRevision, []);
      return row.keys;
    },
    async heldListings(venue) {
      const rows = await sql<{ id: string }[]>`select id from held_listings(${venue}) id`;
      return rows.map(({ id }) => id);
    },
  };
}

/**
 * Withdraws the books and listings of every venue that is not in `used` (`retire_venues`).
 *
 * @param fence the leadership of ingestion; the call is refused if another process has it
 */
export async function retireVenues(sql: Sql, used: readonly string[], fence: Fence): Promise<void> {
  const [row] = await sql<{ boardRevision: bigint }[]>`
    select retire_venues(${used as string[]}, ${fence.epoch}, ${fence.holder}) as board_revision`;
  if (row !== undefined) {
    await notify(sql, row.boardRevision, []);
  }
}

/** Whether the database refused a write because another process leads ingestion. */
function isSuperseded(error: unknown): boolean {
  return sqlStateOf(error) === SUPERSEDED;
}

/** Whether the SQLSTATE has class 22 (data) or 23 (constraints). A retry of the same rows cannot succeed then. */
function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error));
}

function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Reports that wait to be written to the board, the newest one of each subject. */
interface Pending {
  readonly events: Map<string, IngestRow>;
  readonly contracts: Map<string, IngestRow>;
  readonly books: Map<string, BookRow>;
  readonly coins: Map<string, CoinRow>;
  readonly feeds: Map<string, VenueFeedState>;
  /** Callers that wait until this batch is committed. */
  readonly waiters: Waiter[];
}

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

/** @param aheadMs the smallest possible lead of the database's clock, on which confirmations are recorded */
function payloadOf(batch: Pending, aheadMs: number): string {
  const shift = <T extends Date | null>(at: T) => (at === null ? at : new Date(at.getTime() + aheadMs)) as T;
  const books = [...batch.books.values()].map((row) =>
    BOOK_ROW.toJson({ ...row, confirmedAt: shift(row.confirmedAt) }),
  );
  const coins = [...batch.coins.values()].map(COIN_ROW.toJson);
  const feeds = [...batch.feeds.values()].map((row) =>
    VENUE_FEED_STATE.toJson({ ...row, confirmedAt: shift(row.confirmedAt), lastSyncAt: shift(row.lastSyncAt) }),
  );
  const textsOf = (rows: ReadonlyMap<string, IngestRow>) => [...rows.values()].map(({ json }) => json).join(',');
  return `{"events":[${textsOf(batch.events)}],"contracts":[${textsOf(batch.contracts)}],"books":[${books.join(',')}],"coins":[${coins.join(',')}],"feeds":[${feeds.join(',')}]}`;
}

function emptyPending(): Pending {
  return { events: new Map(), contracts: new Map(), books: new Map(), coins: new Map(), feeds: new Map(), waiters: [] };
}

function rowsIn(pending: Pending): number {
  return pending.events.size + pending.contracts.size + pending.books.size + pending.coins.size + pending.feeds.size;
}

function isEmpty(pending: Pending): boolean {
  return rowsIn(pending) === 0 && pending.waiters.length === 0;
}

function merge(older: Pending, newer: Pending): Pending {
  return {
    events: new Map([...older.events, ...newer.events]),
    contracts: new Map([...older.contracts, ...newer.contracts]),
    books: new Map([...older.books, ...newer.books]),
    coins: new Map([...older.coins, ...newer.coins]),
    feeds: new Map([...older.feeds, ...newer.feeds]),
    waiters: [...older.waiters, ...newer.waiters],
  };
}

/**
 * A statement has at most this many rows. It holds the lock on the revision, and must end well before the statement
 * deadline.
 */
const MOST_ROWS = 2_000;

/** The rows in the order in which they refer to each other. The waiting callers are in the last chunk. */
function inChunks(batch: Pending): Pending[] {
  if (rowsIn(batch) <= MOST_ROWS) {
    return [batch];
  }
  return [
    ...pieces(batch.events).map((events) => ({ ...emptyPending(), events })),
    ...pieces(batch.contracts).map((contracts) => ({ ...emptyPending(), contracts })),
    ...pieces(batch.books).map((books) => ({ ...emptyPending(), books })),
    { ...emptyPending(), coins: batch.coins, feeds: batch.feeds, waiters: batch.waiters },
  ];
}

function pieces<T>(rows: ReadonlyMap<string, T>): Map<string, T>[] {
  const all = [...rows];
  return Array.from(
    { length: Math.ceil(all.length / MOST_ROWS) },
    (_, index) => new Map(all.slice(index * MOST_ROWS, (index + 1) * MOST_ROWS)),
  );
}

function* split(batch: Pending): Generator<Pending> {
  for (const [key, row] of batch.events) {
    yield { ...emptyPending(), events: new Map([[key, row]]) };
  }
  for (const [key, row] of batch.contracts) {
    yield { ...emptyPending(), contracts: new Map([[key, row]]) };
  }
  for (const [key, row] of batch.books) {
    yield { ...emptyPending(), books: new Map([[key, row]]) };
  }
  for (const [key, row] of batch.coins) {
    yield { ...emptyPending(), coins: new Map([[key, row]]) };
  }
  yield { ...emptyPending(), feeds: batch.feeds };
}

function describe(batch: Pending): string[] {
  return [
    ...batch.events.keys(),
    ...batch.contracts.keys(),
    ...batch.books.keys(),
    ...batch.coins.keys(),
    ...batch.feeds.keys(),
  ];
}

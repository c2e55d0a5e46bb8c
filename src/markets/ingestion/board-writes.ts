/**
 * Writes what venues report. One call of ingest_board is in flight; everything that arrives meanwhile goes into the
 * next one, only the newest report of each subject. So a burst needs few statements, and memory is bounded by the
 * number of listings while the database is not available. Notifications are sent after the commit, in separate
 * statements.
 */
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/log.ts';
import type { Sql } from '../../db/client.ts';
import type { Fence } from '../../db/lease.ts';
import { notify } from '../board/notify.ts';
import { rememberRows } from './newest-rows.ts';
import {
  describe,
  emptyPending,
  inChunks,
  isEmpty,
  merge,
  type Pending,
  payloadOf,
  rowsIn,
  split,
  type VenueFeedState,
} from './pending-writes.ts';
import type { BookRow, IngestRow } from './venue-rows.ts';

export interface BoardWrites {
  /** Rows that equal what was last written are dropped. */
  events(rows: readonly IngestRow[]): void;
  contracts(rows: readonly IngestRow[]): void;
  books(rows: readonly BookRow[]): void;
  feed(state: VenueFeedState): void;
  /**
   * Withdraws the unresolved contracts of a venue that its catalogue no longer lists.
   * @param listed ids of all its listings
   */
  withdrawUnlisted(venue: string, rank: number, listed: readonly string[]): Promise<number>;
  /** Forgets the rows last written for a venue's events and listings that its catalogue no longer contains. */
  forgetUnlisted(venue: string, listed: Listed): void;
  /** How many rows are remembered so that they are not written twice. */
  readonly remembered: number;
  /** Listings of a venue whose result is needed; see held_listings. */
  heldListings(venue: string): Promise<string[]>;
  /**
   * Resolves when everything passed in before is committed, which may take until the database is available again.
   * Rejects on `close`.
   */
  settled(): Promise<void>;
  /** How long the oldest write has been waiting for its commit, in milliseconds; 0 if nothing waits. */
  stalledMs(): number;
  /** Resolves when the database refused a write because another process leads ingestion. Nothing is written from then on. */
  readonly superseded: Promise<void>;
  /** Writes nothing from now on; a call in flight ends. */
  close(): Promise<void>;
}

/** Our ids for the events, the venue's ids for the listings. */
export interface Listed {
  readonly events: readonly string[];
  readonly listings: readonly string[];
}

export interface BoardWritesParts {
  readonly sql: Sql;
  readonly log: Logger;
  readonly clock: Clock;
  /** The leadership that every write carries; null for a write outside of ingestion. */
  readonly fence: Fence | null;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
/** SQLSTATE of assert_lease. */
const SUPERSEDED = 'IN050';

export function createBoardWrites({ sql, log, clock, fence }: BoardWritesParts): BoardWrites {
  const { promise: superseded, resolve: supersede } = Promise.withResolvers<void>();
  const [epoch, holder] = [fence?.epoch ?? null, fence?.holder ?? null];
  let waitingSince: number | undefined;
  /** The smallest possible lead of the database's clock over ours, in milliseconds; measured with each write. */
  let aheadMs: number | undefined;
  let pending = emptyPending();
  const newest = { events: rememberRows(), contracts: rememberRows() };
  let running: Promise<void> | undefined;
  let closed = false;

  function wake(): void {
    if (running !== undefined || closed) {
      return;
    }
    waitingSince = performance.now();
    running = new Promise<void>((resolve) => setImmediate(resolve)).then(drain).finally(() => {
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
      const chunks = inChunks(pending);
      pending = emptyPending();
      try {
        for (let [chunk] = chunks; chunk !== undefined; [chunk] = chunks) {
          await commit(chunk);
          chunks.shift();
          waitingSince = performance.now();
          retryMs = FIRST_RETRY_MS;
        }
      } catch (error) {
        pending = chunks.reduceRight((newer, older) => merge(older, newer), pending);
        if (sqlStateOf(error) === SUPERSEDED) {
          stop('superseded');
          supersede();
          return;
        }
        log.warn({ err: error }, 'ingestion could not write; will retry');
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    }
  }

  async function commit(batch: Pending): Promise<void> {
    try {
      if (rowsIn(batch) > 0) {
        await write(batch);
      }
    } catch (error) {
      if (!isRefusedData(error)) {
        throw error;
      }
      await writeOneByOne(batch);
    }
    for (const waiter of batch.waiters) {
      waiter.resolve();
    }
  }

  async function write(batch: Pending): Promise<void> {
    if (aheadMs === undefined) {
      measureClock((await sql<{ at: Date }[]>`select clock_timestamp() as at`)[0]);
    }
    const payload = payloadOf(batch, aheadMs ?? 0);
    const [answer] = await sql<{ board_revision: bigint; resolved: string[]; at: Date }[]>`
      select board_revision, resolved, clock_timestamp() as at
      from ingest_board(${payload}::text::jsonb, ${epoch}, ${holder})`;
    measureClock(answer);
    if (answer !== undefined) {
      await notify(sql, answer.board_revision, answer.resolved);
    }
  }

  /** Compared with the time of receipt, so that no book is recorded as confirmed later than it was. */
  function measureClock(answer: { readonly at: Date } | undefined): void {
    if (answer !== undefined) {
      aheadMs = answer.at.getTime() - clock.now().getTime();
    }
  }

  /** A row that the database refuses must not block the others. */
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
        pending.books.set(`${row.venue}:${row.listing_id}`, row);
      }
      wake();
    },
    feed(state) {
      pending.feeds.set(state.venue, state);
      wake();
    },
    async withdrawUnlisted(venue, rank, listed) {
      const [row] = await sql<{ board_revision: bigint; keys: string[] }[]>`
        select board_revision, keys from withdraw_unlisted(${venue}, ${rank}, ${listed as string[]}, ${epoch}, ${holder})`;
      if (row === undefined || row.keys.length === 0) {
        return 0;
      }
      // If they are listed again, they must be written again even if their content is the same.
      for (const listingId of row.keys) {
        newest.contracts.forget(`${venue}:${listingId}`);
      }
      await notify(sql, row.board_revision, []);
      return row.keys.length;
    },
    async heldListings(venue) {
      const rows = await sql<{ id: string }[]>`select id from held_listings(${venue}) id`;
      return rows.map(({ id }) => id);
    },
    forgetUnlisted(venue, { events, listings }) {
      newest.events.forgetOthers(venue, events);
      newest.contracts.forgetOthers(venue, listings);
    },
    get remembered() {
      return newest.events.size + newest.contracts.size;
    },
    settled() {
      // After the call in flight and the waiting rows: the batch that contains this is committed after both.
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

/** SQLSTATE classes 22 (data) and 23 (constraints): a retry of the same rows cannot succeed. */
function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error));
}

function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

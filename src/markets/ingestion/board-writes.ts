/**
 * Collects what venues report until it is written. One call of ingest_board is in flight; everything that arrives
 * meanwhile goes into the next one, only the newest report of each subject. So a burst needs few statements, and memory
 * is bounded by the number of listings while the database is not available.
 */
import { type BoardStatementsParts, createBoardStatements, isSuperseded } from './board-statements.ts';
import type { BookRow, CoinRow, VenueFeedState } from './ingest-rows.ts';
import { rememberRows } from './newest-rows.ts';
import { emptyPending, inChunks, isEmpty, merge } from './pending-writes.ts';
import type { IngestRow } from './venue-rows.ts';

export interface BoardWrites {
  /** Rows that equal what was last written are dropped. */
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

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
export function openBoardWrites(parts: BoardStatementsParts): BoardWrites {
  const statements = createBoardStatements(parts);
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
          await statements.commit(chunk);
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
        parts.log.warn({ err: error }, 'ingestion could not write; will retry');
        await new Promise((resolve) => setTimeout(resolve, retryMs));
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
      // If they are listed again, they must be written again even if their content is the same.
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

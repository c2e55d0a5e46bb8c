/**
 * Reports that wait to be written to the board. Only the newest one of each subject is kept, so memory is bounded by
 * the number of listings however long the database is not available. Pure.
 */
import {
  BOOK_ROW,
  type BookRow,
  COIN_ROW,
  type CoinRow,
  VENUE_FEED_STATE,
  type VenueFeedState,
} from './ingest-rows.ts';
import type { IngestRow } from './venue-rows.ts';

export interface Pending {
  readonly events: Map<string, IngestRow>;
  readonly contracts: Map<string, IngestRow>;
  readonly books: Map<string, BookRow>;
  readonly coins: Map<string, CoinRow>;
  readonly feeds: Map<string, VenueFeedState>;
  /** Callers that wait until this batch is committed. */
  readonly waiters: Waiter[];
}

export interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

/** @param aheadMs the smallest possible lead of the database's clock; confirmations are written on that clock */
export function payloadOf(batch: Pending, aheadMs: number): string {
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

export function emptyPending(): Pending {
  return { events: new Map(), contracts: new Map(), books: new Map(), coins: new Map(), feeds: new Map(), waiters: [] };
}

export function rowsIn(pending: Pending): number {
  return pending.events.size + pending.contracts.size + pending.books.size + pending.coins.size + pending.feeds.size;
}

export function isEmpty(pending: Pending): boolean {
  return rowsIn(pending) === 0 && pending.waiters.length === 0;
}

export function merge(older: Pending, newer: Pending): Pending {
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
 * The maximum number of rows in one statement, which holds the lock on the revision and must end well before the
 * statement deadline.
 */
const MOST_ROWS = 2_000;

/** In the order in which rows refer to each other. The waiting callers are in the last chunk. */
export function inChunks(batch: Pending): Pending[] {
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

export function* split(batch: Pending): Generator<Pending> {
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

export function describe(batch: Pending): string[] {
  return [
    ...batch.events.keys(),
    ...batch.contracts.keys(),
    ...batch.books.keys(),
    ...batch.coins.keys(),
    ...batch.feeds.keys(),
  ];
}

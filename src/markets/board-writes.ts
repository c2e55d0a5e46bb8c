/**
 * Writes what venues say: one call of ingest_board in flight, everything that arrives meanwhile goes into the next
 * one, the newest word on a subject only. So a burst becomes few statements, and memory is bounded by the number of
 * listings while the database is away. Notifications go out after the commit, in statements of their own.
 */
import type { Logger } from '../core/log.ts';
import type { Sql } from '../db/client.ts';
import {
  describe,
  emptyPending,
  isEmpty,
  merge,
  type Pending,
  payloadOf,
  rowsIn,
  split,
  type VenueFeedState,
} from './pending-writes.ts';
import type { IngestRow } from './venue-rows.ts';

export interface BoardWrites {
  /** Rows that say what was last written are dropped. */
  events(rows: readonly IngestRow[]): void;
  contracts(rows: readonly IngestRow[]): void;
  /** Rows made by `bookRow`. */
  books(rows: readonly Record<string, unknown>[]): void;
  feed(state: VenueFeedState): void;
  /**
   * Withdraws the unresolved contracts of a venue that its catalogue lists no more.
   * @param listed ids of all its listings.
   */
  withdrawUnlisted(venue: string, rank: number, listed: readonly string[]): Promise<number>;
  /** Resolves when everything handed in before is committed; while the database is away, later. Rejects on `close`. */
  settled(): Promise<void>;
  /** Writes nothing from now on; what is in flight ends. */
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

export function createBoardWrites({ sql, log }: { readonly sql: Sql; readonly log: Logger }): BoardWrites {
  let pending = emptyPending();
  /** Digest of the newest row that was handed in, whether it is written yet or not. */
  const newest = { events: new Map<string, string>(), contracts: new Map<string, string>() };
  let running: Promise<void> | undefined;
  let closed = false;

  function wake(): void {
    if (running !== undefined || closed) return;
    running = new Promise<void>((resolve) => setImmediate(resolve)).then(drain).finally(() => {
      running = undefined;
      if (!isEmpty(pending)) wake();
    });
  }

  async function drain(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!isEmpty(pending) && !closed) {
      const batch = pending;
      pending = emptyPending();
      try {
        if (rowsIn(batch) > 0) await write(batch);
        for (const waiter of batch.waiters) waiter.resolve();
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        if (isRefusedData(error)) {
          await writeOneByOne(batch);
          for (const waiter of batch.waiters) waiter.resolve();
          continue;
        }
        pending = merge(batch, pending);
        log.warn({ err: error }, 'ingestion cannot write and tries again');
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    }
  }

  async function write(batch: Pending): Promise<void> {
    const [answer] = await sql<{ board_revision: bigint; resolved: string[] }[]>`
      select board_revision, resolved from ingest_board(${payloadOf(batch)}::text::jsonb)`;
    if (answer !== undefined) await notify(sql, answer.board_revision, answer.resolved);
  }

  /** A row that the database refuses must not hold up the others. */
  async function writeOneByOne(batch: Pending): Promise<void> {
    for (const single of split(batch)) {
      try {
        await write(single);
      } catch (error) {
        if (!isRefusedData(error)) pending = merge(single, pending);
        else log.error({ err: error, rows: describe(single) }, 'the database refuses what a venue said');
      }
    }
  }

  function keep(kind: 'events' | 'contracts', rows: readonly IngestRow[]): void {
    for (const row of rows) {
      if (newest[kind].get(row.key) === row.digest) continue;
      newest[kind].set(row.key, row.digest);
      pending[kind].set(row.key, row);
    }
    wake();
  }

  return {
    events: (rows) => keep('events', rows),
    contracts: (rows) => keep('contracts', rows),
    books(rows) {
      for (const row of rows) pending.books.set(`${row['venue']}:${row['listing_id']}`, row);
      wake();
    },
    feed(state) {
      pending.feeds.set(state.venue, state);
      wake();
    },
    async withdrawUnlisted(venue, rank, listed) {
      const [row] = await sql<{ board_revision: bigint; keys: string[] }[]>`
        select board_revision, keys from withdraw_unlisted(${venue}, ${rank}, ${listed as string[]})`;
      if (row === undefined || row.keys.length === 0) return 0;
      // Listed again, they are written again even if the venue says what it said before.
      for (const listingId of row.keys) newest.contracts.delete(`${venue}:${listingId}`);
      await notify(sql, row.board_revision, []);
      return row.keys.length;
    },
    settled() {
      // Behind what is in flight and what waits: the batch that this falls into is committed after both.
      return new Promise<void>((resolve, reject) => {
        if (closed) {
          reject(new Error('closed'));
          return;
        }
        pending.waiters.push({ resolve, reject });
        wake();
      });
    },
    async close() {
      closed = true;
      await running?.catch(() => {});
      for (const waiter of pending.waiters) waiter.reject(new Error('closed'));
    },
  };
}

/** Takes back what venues outside of `used` said; see retire_venues. */
export async function retireVenues(sql: Sql, used: readonly string[]): Promise<void> {
  const [row] = await sql<{ board_revision: bigint }[]>`select retire_venues(${used as string[]}) as board_revision`;
  if (row !== undefined) await notify(sql, row.board_revision, []);
}

/** Tells boards of a revision, and whoever settles of results that changed. Never inside a money statement. */
export async function notify(sql: Sql, revision: bigint, resolved: readonly string[]): Promise<void> {
  await sql`
    select pg_notify('board', ${revision.toString()})
    union all select pg_notify('resolved', contract_id) from unnest(${resolved as string[]}::text[]) contract_id`;
}

/** SQLSTATE classes 22 (data) and 23 (constraints): trying the same again cannot help. */
function isRefusedData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);
}

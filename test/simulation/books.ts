/**
 * The books of the exchanges, and the part of a worker that follows them: the service's own lease and its own fenced writes of
 * the board, fed with snapshots that travel through the world's network. Catalogues and streams of venues are not simulated.
 */
import type { Context } from '../../src/context.ts';
import type { Sql } from '../../src/db/client.ts';
import { acquireLease } from '../../src/db/lease.ts';
import { INGEST_LEASE, openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import type { BookRow } from '../../src/markets/ingestion/ingest-rows.ts';
import type { Chance } from '../support/random.ts';
import { thisProcess } from './process.ts';
import { callOver } from './wire.ts';

interface Book {
  readonly venue: string;
  readonly listing: string;
  readonly bids: readonly (readonly [price: number, size: number])[];
  readonly asks: readonly (readonly [price: number, size: number])[];
}

const EVERY_MS = 1_000;
const STEP = 1_000_000;

export class Books {
  /** Leaderships of ingestion; those whose lease was lost; those that ended because a write of an earlier epoch was refused. */
  leaderships = 0;
  lost = 0;
  refused = 0;
  #books: readonly Book[];
  #sequence = 1;

  constructor(books: readonly Book[]) {
    this.#books = books;
  }

  /** The sizes of one book change. */
  move(chance: Chance): void {
    this.#sequence += 1;
    const which = chance.below(this.#books.length);
    const more = STEP * (1 + chance.below(50));
    this.#books = this.#books.map((book, at) =>
      at === which ? { ...book, asks: book.asks.map(([price, size]) => [price, size + more] as const) } : book,
    );
  }

  rows(session: number, at: Date): BookRow[] {
    return this.#books.map(({ venue, listing, bids, asks }) => ({
      venue,
      listingId: listing,
      bidPrices: bids.map(([price]) => price),
      bidSizes: bids.map(([, size]) => size),
      askPrices: asks.map(([price]) => price),
      askSizes: asks.map(([, size]) => size),
      feed: 'websocket',
      sequence: BigInt(this.#sequence),
      session,
      updatedAt: at,
      confirmedAt: at,
      tradedMicros: null,
      tradedPriceMicros: null,
    }));
  }

  /** @returns the listings whose book in the database is another one. */
  async differences(sql: Sql): Promise<object[]> {
    const stored = await sql<{ id: string; book: string }[]>`
      select listing_id as id, array_to_string(bid_prices || bid_sizes || ask_prices || ask_sizes, ' ') as book from listings`;
    const wanted = new Map(
      this.rows(0, new Date(0)).map((row) => [
        row.listingId,
        [...row.bidPrices, ...row.bidSizes, ...row.askPrices, ...row.askSizes].join(' '),
      ]),
    );
    return stored.filter(({ id, book }) => wanted.get(id) !== book);
  }
}

/** Leads whenever the lease can be had, and follows the books meanwhile; until the process dies. */
export async function followBooks(context: Context, books: Books): Promise<void> {
  const from = thisProcess();
  const { network } = from;
  const { signal } = new AbortController();
  for (;;) {
    const lease = await acquireLease({
      url: context.databaseUrl,
      applicationName: 'inlay-ingest-leader',
      name: INGEST_LEASE,
      signal,
    });
    if (lease === null) {
      return;
    }
    books.leaderships += 1;
    const writes = openBoardWrites({ ...context, fence: lease.fence });
    const session = Date.now();
    const timer = setInterval(() => {
      const asked = new Date();
      const snapshot = { what: 'books', arrive: () => books.rows(session, asked) };
      callOver(from, network.chance, network.httpFaults, snapshot).then((rows) => writes.books(rows));
    }, EVERY_MS);
    const ended = await Promise.race([lease.ended, writes.superseded.then(() => 'superseded' as const)]);
    books.lost += ended === 'lost' ? 1 : 0;
    books.refused += ended === 'superseded' ? 1 : 0;
    clearInterval(timer);
    await writes.close();
    await lease.resign();
  }
}

/**
 * Polymarket's order books: kept from the messages of its stream, read again over REST where they are doubted, and converted into the
 * port's types.
 */
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { VenueBook, VenueLevel } from '../listing.ts';
import type { PolymarketBook, PriceChange } from './shapes.ts';

/** Tokens in one request. */
const CHUNK = 100;
const TURN_MS = 250;
/** A subscribed token without a book for this long is read; a market without an order book never sends one. */
const AWAITED_MS = 2_000;
/** After so many readings in a row that failed the connection is replaced. */
const MOST_FAILURES = 3;
/** How often the next books are compared. */
const COMPARE_MS = 5_000;
/** A difference that no message explains within this time is a missed message. */
const LATE_MS = 2_000;
/** After so many of them the connection is replaced. */
const MOST_MISSED = 3;

/** Books of at most 100 tokens; one without an order book is missing. @throws VenueUnknown */
export type BookReader = (tokens: readonly string[]) => Promise<readonly PolymarketBook[]>;

export interface BookReadingPorts {
  readonly books: KeptBooks;
  readonly tokens: ReadonlySet<string>;
  readonly read: BookReader;
  /** The book of this token is right from now on. */
  settled(token: string): void;
  drop(reason: string): void;
}

interface Noted {
  readonly change: PriceChange;
  readonly at: number;
}

export interface BookReadings {
  /** Whether no book is missing. */
  readonly complete: boolean;
  /** The stream was asked for these books. */
  await(tokens: readonly string[]): void;
  doubt(token: string): void;
  doubtedSince(token: string): Date | undefined;
  /** The stream sent the whole book. */
  trust(token: string): void;
  /** A change that arrived. @param at the exchange's time of it, in milliseconds since 1970 */
  note(change: PriceChange, at: number): void;
  forget(token: string): void;
  /** The connection ended. */
  reset(): void;
  close(): void;
}

/**
 * Reads books of a stream again over REST: those that are doubted, those that the stream does not send, and in turn all others,
 * to find a missed change that left the best prices as they were. What the stream says while a book is read is applied to it.
 */
export function openBookReadings({ books, tokens, read, settled, drop }: BookReadingPorts): BookReadings {
  /** Tokens without a book, and since when. */
  const awaited = new Map<string, number>();
  const doubted = new Map<string, Date>();
  /** When the stream last said something of a token. */
  const heard = new Map<string, number>();
  /** What the stream says while books are read. */
  let meanwhile: Noted[] | undefined;
  let session = 0;
  let failures = 0;
  let missed = 0;
  let comparedAt = performance.now();
  let next = 0;

  function trust(token: string): void {
    awaited.delete(token);
    doubted.delete(token);
    settled(token);
  }

  /** @returns whether the book was taken; one that is older than what the stream had said before the reading is not */
  function adopt(book: PolymarketBook, before: number): boolean {
    const at = book.timestamp ?? before;
    if (at < before) {
      return false;
    }
    books.takeSnapshot(book, at);
    for (const { change, at: changedAt } of meanwhile ?? []) {
      if (change.asset_id === book.asset_id) {
        books.takeChange(change, changedAt);
      }
    }
    return true;
  }

  async function readBooks(some: readonly string[]): Promise<readonly (readonly [PolymarketBook, number])[]> {
    const before = new Map(some.map((token) => [token, books.get(token)?.at ?? 0]));
    meanwhile = [];
    const found = await read(some);
    return found
      .filter(({ asset_id: token }) => tokens.has(token))
      .map((book) => [book, before.get(book.asset_id) ?? 0]);
  }

  async function readWanted(some: readonly string[]): Promise<void> {
    const asked = session;
    try {
      const found = await readBooks(some);
      if (asked !== session) {
        return;
      }
      const taken = found.filter(([book, before]) => adopt(book, before)).map(([{ asset_id: token }]) => token);
      const there = new Set(found.map(([{ asset_id: token }]) => token));
      const none = some.filter((token) => !there.has(token) && tokens.has(token));
      for (const token of none) {
        books.takeSnapshot({ asset_id: token, bids: [], asks: [] }, 0);
      }
      [...taken, ...none].forEach(trust);
      failures = taken.length + none.length === some.length ? 0 : failures + 1;
    } catch {
      failures += asked === session ? 1 : 0;
    }
    if (failures >= MOST_FAILURES) {
      failures = 0;
      drop('the books could not be read');
    }
  }

  async function compareNext(): Promise<void> {
    const all = [...tokens].filter((token) => !awaited.has(token));
    const some = all.slice(next, next + CHUNK);
    next = next + CHUNK < all.length ? next + CHUNK : 0;
    const asked = session;
    // one that cannot be read is compared in its next turn
    const found = some.length === 0 ? [] : await readBooks(some).catch(() => []);
    for (const [book, before] of asked === session ? found : []) {
      const { asset_id: token } = book;
      const moved =
        meanwhile?.some(({ change }) => change.asset_id === token) || (books.get(token)?.at ?? 0) !== before;
      if (!moved && !books.equals(book) && adopt(book, before)) {
        settled(token);
        countMissed(token);
      }
    }
  }

  /** Where the exchange's REST is a little ahead of its stream, the message is still to come. */
  function countMissed(token: string): void {
    const [asked, since] = [session, performance.now()];
    setTimeout(() => {
      if (asked === session && (heard.get(token) ?? 0) < since) {
        missed += 1;
        if (missed >= MOST_MISSED) {
          drop('the stream does not send all changes');
        }
      }
    }, LATE_MS).unref();
  }

  async function turn(): Promise<void> {
    const late = performance.now() - AWAITED_MS;
    const overdue = [...awaited].filter(([, since]) => since < late).map(([token]) => token);
    const wanted = [...new Set([...doubted.keys(), ...overdue])].slice(0, CHUNK);
    if (wanted.length > 0) {
      await readWanted(wanted);
    } else if (performance.now() - comparedAt >= COMPARE_MS) {
      comparedAt = performance.now();
      await compareNext();
    }
  }

  let timer = setTimeout(run, TURN_MS);
  let closed = false;
  function run(): void {
    turn()
      .catch((error: Error) => drop(error.message))
      .finally(() => {
        meanwhile = undefined;
        if (!closed) {
          timer = setTimeout(run, TURN_MS);
        }
      });
  }

  return {
    get complete() {
      return awaited.size === 0;
    },
    await(some) {
      for (const token of some) {
        awaited.set(token, performance.now());
      }
    },
    doubt(token) {
      if (!doubted.has(token)) {
        doubted.set(token, new Date());
      }
    },
    doubtedSince: (token) => doubted.get(token),
    trust(token) {
      heard.set(token, performance.now());
      trust(token);
    },
    note(change, at) {
      heard.set(change.asset_id, performance.now());
      meanwhile?.push({ change, at });
    },
    forget(token) {
      awaited.delete(token);
      doubted.delete(token);
      heard.delete(token);
    },
    reset() {
      session += 1;
      failures = 0;
      missed = 0;
      awaited.clear();
      doubted.clear();
      heard.clear();
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

export interface StreamedBook {
  readonly asset_id: string;
  readonly bids: VenueLevel[];
  readonly asks: VenueLevel[];
}

type Ladder = Map<bigint, bigint>;

interface Kept {
  bids: Ladder;
  asks: Ladder;
  /** The exchange's time of the newest message, in milliseconds since 1970. */
  at: number;
}

/**
 * Books of Polymarket's stream, kept from snapshots and changes. The exchange numbers no message: a lost one is noticed when the
 * best prices that come with a change differ from those of the book, or when the book is read again.
 */
export class KeptBooks {
  readonly #books = new Map<string, Kept>();

  takeSnapshot({ asset_id: token, bids, asks }: StreamedBook, at: number): void {
    this.#books.set(token, { bids: ladderOf(bids), asks: ladderOf(asks), at });
  }

  /** A change names the whole size of a level, so that the same one twice does no harm; one that is older than the book is left out. */
  takeChange({ asset_id: token, price, size, side }: PriceChange, at: number): void {
    const book = this.#books.get(token);
    if (book === undefined || at < book.at) {
      return;
    }
    book.at = at;
    const ladder = side === 'BUY' ? book.bids : book.asks;
    if (size === 0n) {
      ladder.delete(price);
    } else {
      ladder.set(price, size);
    }
  }

  /** Whether the book has the best prices that the exchange names with its change; one that it does not name fits. */
  hasBestOf({ asset_id: token, best_bid: bid, best_ask: ask }: PriceChange): boolean {
    const book = this.#books.get(token);
    if (book === undefined) {
      return false;
    }
    const fits = (named: bigint | undefined, own: bigint) => named === undefined || named === own;
    // no asks: 1, or 0
    return fits(bid, highest(book.bids)) && fits(ask === 0n ? ONE_DOLLAR_MICROS : ask, lowest(book.asks));
  }

  /** @returns undefined if no snapshot was taken */
  get(token: string): (StreamedBook & { readonly at: number }) | undefined {
    const book = this.#books.get(token);
    return book && { asset_id: token, bids: levelsOf(book.bids), asks: levelsOf(book.asks), at: book.at };
  }

  /** Whether the book has exactly these levels. */
  equals({ asset_id: token, bids, asks }: StreamedBook): boolean {
    const book = this.#books.get(token);
    return book !== undefined && same(book.bids, ladderOf(bids)) && same(book.asks, ladderOf(asks));
  }

  forget(token: string): void {
    this.#books.delete(token);
  }

  clear(): void {
    this.#books.clear();
  }
}

function ladderOf(levels: readonly VenueLevel[]): Ladder {
  return new Map(
    levels
      .filter(({ quantityMicros }) => quantityMicros > 0n)
      .map((level) => [level.priceMicros, level.quantityMicros]),
  );
}

function levelsOf(ladder: Ladder): VenueLevel[] {
  return [...ladder].map(([priceMicros, quantityMicros]) => ({ priceMicros, quantityMicros }));
}

function same(one: Ladder, other: Ladder): boolean {
  return one.size === other.size && [...one].every(([price, size]) => other.get(price) === size);
}

/** The exchange names 0 if there are no bids. */
function highest(ladder: Ladder): bigint {
  return [...ladder.keys()].reduce((best, price) => (price > best ? price : best), 0n);
}

/** The exchange names 1 if there are no asks. */
function lowest(ladder: Ladder): bigint {
  return [...ladder.keys()].reduce((best, price) => (price < best ? price : best), ONE_DOLLAR_MICROS);
}

/**
 * Converts Polymarket's order books into the port's types. Pure.
 *
 * @param sequence rises with every book that this adapter returns, because the venue numbers none
 * @param asOf until when the book is known to have been right, if that is earlier
 */
export function readPolymarketBook(
  book: Pick<PolymarketBook, 'asset_id' | 'bids' | 'asks'>,
  sequence: bigint,
  observedAt: Date,
  feed: VenueBook['feed'] = 'rest',
  asOf?: Date,
): VenueBook {
  const good = (levels: readonly VenueLevel[]) => levels.filter((level) => level.quantityMicros > 0n);
  return {
    listingId: book.asset_id,
    bids: good(book.bids).sort((one, other) => (one.priceMicros > other.priceMicros ? -1 : 1)),
    asks: good(book.asks).sort((one, other) => (one.priceMicros < other.priceMicros ? -1 : 1)),
    sequence,
    observedAt,
    feed,
    asOf,
  };
}

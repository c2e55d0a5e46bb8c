/**
 * Polymarket's order books: converted into the port's types, kept from the messages of the stream, and read again over REST if the
 * stream may have missed something.
 */
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { VenueBook, VenueLevel } from '../listing.ts';
import type { PolymarketBook, PriceChange } from './shapes.ts';

/**
 * Converts a book into the port's type. Pure.
 *
 * @param sequence rises with every book that this adapter returns, because the venue does not number its books
 * @param asOf time up to which the book is known to have been right, if that is earlier than `observedAt`
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

/** Most tokens in one request. */
const CHUNK = 100;
const TURN_MS = 250;
/** A token whose book did not arrive in this time is read over REST: the stream sends nothing for a market without an order book. */
const AWAITED_MS = 2_000;
/** The connection is replaced after this many failed reads in a row. */
const MOST_FAILURES = 3;
/** Interval at which the next books are compared with REST. */
const COMPARE_MS = 5_000;
/** A difference that no message explains within this time counts as a missed message. */
const LATE_MS = 2_000;
/** The connection is replaced after this many missed messages. */
const MOST_MISSED = 3;

/**
 * Reads the books of at most 100 tokens. A token without an order book is missing from the result.
 * @throws VenueUnknown
 */
export type BookReader = (tokens: readonly string[]) => Promise<readonly PolymarketBook[]>;

interface BookReadingPorts {
  readonly books: KeptBooks;
  readonly tokens: ReadonlySet<string>;
  readonly read: BookReader;
  /** Called when the book of this token is right again. */
  settled(token: string): void;
  drop(reason: string): void;
}

interface Noted {
  readonly change: PriceChange;
  readonly at: number;
}

interface BookReadings {
  /** Whether every token has its book. */
  readonly complete: boolean;
  /** The books that the stream was requested to send. */
  await(tokens: readonly string[]): void;
  doubt(token: string): void;
  doubtedSince(token: string): Date | undefined;
  /** The stream sent the whole book. */
  trust(token: string): void;
  /** A change arrived. @param at its time at the exchange, in milliseconds since 1970 */
  note(change: PriceChange, at: number): void;
  forget(token: string): void;
  /** The connection ended. */
  reset(): void;
  close(): void;
}

/**
 * Reads the books of a stream again over REST: the doubted ones, those that the stream does not send, and all others in turn, because
 * a missed change may have left the best prices as they were. Changes that arrive while a book is read are applied to it afterwards.
 */
export function openBookReadings({ books, tokens, read, settled, drop }: BookReadingPorts): BookReadings {
  /** Tokens without a book, each with the time since when. */
  const awaited = new Map<string, number>();
  const doubted = new Map<string, Date>();
  /** When the stream last sent something about a token. */
  const heard = new Map<string, number>();
  /** Changes that arrive while books are read. */
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

  /** @returns false if the book is older than the newest message of the stream before the read, and so was not taken */
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
    // books that cannot be read now are compared in their next turn
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

  /** Waits before it counts: REST may be a little ahead of the stream, so the message may still arrive. */
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
 * Books kept from the snapshots and changes of the stream. The exchange does not number its messages, so a lost one is noticed when
 * the best prices in a later change differ from those of the book, or when the book is read again.
 */
export class KeptBooks {
  readonly #books = new Map<string, Kept>();

  takeSnapshot({ asset_id: token, bids, asks }: StreamedBook, at: number): void {
    this.#books.set(token, { bids: ladderOf(bids), asks: ladderOf(asks), at });
  }

  /** A change carries the whole size of a level, so taking it twice does no harm. A change older than the book is ignored. */
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

  /** Whether the book has the best prices that the change carries. A price that the change does not carry is not compared. */
  hasBestOf({ asset_id: token, best_bid: bid, best_ask: ask }: PriceChange): boolean {
    const book = this.#books.get(token);
    if (book === undefined) {
      return false;
    }
    const fits = (named: bigint | undefined, own: bigint) => named === undefined || named === own;
    // without asks the exchange writes 1 or 0
    return fits(bid, highest(book.bids)) && fits(ask === 0n ? ONE_DOLLAR_MICROS : ask, lowest(book.asks));
  }

  /** @returns undefined before the first snapshot */
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

/** @returns 0 without bids, as the exchange writes it */
function highest(ladder: Ladder): bigint {
  return [...ladder.keys()].reduce((best, price) => (price > best ? price : best), 0n);
}

/** @returns 1 dollar without asks, as the exchange writes it */
function lowest(ladder: Ladder): bigint {
  return [...ladder.keys()].reduce((best, price) => (price < best ? price : best), ONE_DOLLAR_MICROS);
}

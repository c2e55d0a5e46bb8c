/**
 * Books of Polymarket's stream, kept from snapshots and changes. The exchange numbers no message: a lost one is noticed when the
 * best prices that come with a change differ from those of the book, or when the book is read again.
 */
import { ONE_DOLLAR_MICROS } from '../../../money/decimal.ts';
import type { VenueLevel } from '../../listing.ts';
import type { PriceChange } from './messages.ts';

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

/** Books of Gemini's stream, kept from a whole book and numbered changes. In memory. */
import type { VenueLevel } from '../listing.ts';
import type { DepthMessage } from './stream-messages.ts';

type Ladder = Map<bigint, bigint>;

export interface StreamBook {
  /** Best first. */
  readonly bids: VenueLevel[];
  readonly asks: VenueLevel[];
}

export class StreamBooks {
  readonly #books = new Map<string, { last: bigint; readonly bids: Ladder; readonly asks: Ladder }>();

  /** @returns the book after it; undefined if a change before it is missing, so that the book has to be subscribed again */
  take(message: DepthMessage): StreamBook | undefined {
    const { symbol, first, last, bids, asks } = message;
    const known = this.#books.get(symbol);
    if (known !== undefined && first > known.last + 1n) {
      this.#books.delete(symbol);
      return undefined;
    }
    const book = known ?? { last, bids: new Map(), asks: new Map() };
    book.last = last > book.last ? last : book.last;
    change(book.bids, bids);
    change(book.asks, asks);
    this.#books.set(symbol, book);
    return {
      bids: levelsOf(book.bids).sort((one, other) => (one.priceMicros > other.priceMicros ? -1 : 1)),
      asks: levelsOf(book.asks).sort((one, other) => (one.priceMicros < other.priceMicros ? -1 : 1)),
    };
  }

  forget(symbols: Iterable<string>): void {
    for (const symbol of symbols) {
      this.#books.delete(symbol);
    }
  }
}

/** A quantity of zero removes a level. */
function change(ladder: Ladder, levels: readonly VenueLevel[]): void {
  for (const { priceMicros, quantityMicros } of levels) {
    if (quantityMicros === 0n) {
      ladder.delete(priceMicros);
    } else {
      ladder.set(priceMicros, quantityMicros);
    }
  }
}

function levelsOf(ladder: Ladder): VenueLevel[] {
  return [...ladder].map(([priceMicros, quantityMicros]) => ({ priceMicros, quantityMicros }));
}

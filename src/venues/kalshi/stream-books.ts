/** Books of Kalshi's stream, kept from snapshots and deltas. In memory; a lost delta is noticed by the connection, not here. */
import type { VenueLevel } from '../listing.ts';
import type { StreamMessage } from './stream-messages.ts';

type Snapshot = Extract<StreamMessage, { type: 'orderbook_snapshot' }>['msg'];
type Delta = Extract<StreamMessage, { type: 'orderbook_delta' }>['msg'];
type Ladder = Map<bigint, bigint>;

export interface StreamLadders {
  readonly yes_dollars: VenueLevel[];
  readonly no_dollars: VenueLevel[];
}

export class StreamBooks {
  readonly #books = new Map<string, { readonly yes: Ladder; readonly no: Ladder }>();

  get size(): number {
    return this.#books.size;
  }

  takeSnapshot(snapshot: Snapshot): StreamLadders {
    const ladder = (levels: readonly VenueLevel[]) =>
      new Map(levels.map(({ priceMicros, quantityMicros }) => [priceMicros, quantityMicros]));
    this.#books.set(snapshot.market_ticker, {
      yes: ladder(snapshot.yes_dollars_fp),
      no: ladder(snapshot.no_dollars_fp),
    });
    return this.#laddersOf(snapshot.market_ticker);
  }

  /** @returns undefined if it changes a book that is not known, or takes more from a level than there is */
  takeDelta({ market_ticker: ticker, price_dollars: price, delta_fp: delta, side }: Delta): StreamLadders | undefined {
    const ladder = this.#books.get(ticker)?.[side];
    const quantity = (ladder?.get(price) ?? 0n) + delta;
    if (ladder === undefined || quantity < 0n) {
      return undefined;
    }
    if (quantity === 0n) {
      ladder.delete(price);
    } else {
      ladder.set(price, quantity);
    }
    return this.#laddersOf(ticker);
  }

  forget(tickers: readonly string[]): void {
    for (const ticker of tickers) {
      this.#books.delete(ticker);
    }
  }

  #laddersOf(ticker: string): StreamLadders {
    const levels = (ladder: Ladder | undefined) =>
      [...(ladder ?? [])].map(([priceMicros, quantityMicros]) => ({ priceMicros, quantityMicros }));
    const book = this.#books.get(ticker);
    return { yes_dollars: levels(book?.yes), no_dollars: levels(book?.no) };
  }
}

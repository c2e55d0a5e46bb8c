/**
 * Follows Kalshi over its stream: books by snapshot and delta, and the events of markets whose state changed. If the stream stays
 * down, the books are polled over REST. A market that the stream refuses or never reports gets an empty book until the next
 * catalogue, so that it does not delay the others.
 */
import type { z } from 'zod';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { CrossedBooks, openChangesReader, openPollingFallback, type PolledVenue } from '../follow.ts';
import type { VenueBook, VenueEvent, VenueLevel } from '../listing.ts';
import type { Note, Watch, WatchHandlers } from '../port.ts';
import type { kalshiLadders, StreamMessage } from './shapes.ts';
import {
  type BookSubscriptions,
  openBookSubscriptions,
  openKalshiStream,
  type StreamConnection,
  type StreamSource,
} from './stream.ts';

/** How often the followed markets are compared with the newest catalogue. */
const LISTINGS_MS = 1_000;
/** How long after the last received book a missing one is awaited before its market is left out. */
const UNHEARD_MS = 5_000;
/** How often a stream that cannot connect is reported. */
const TELL_EVERY_MS = 60_000;

export interface StreamedVenue {
  readonly stream: StreamSource;
  readonly polled: PolledVenue;
  /** The current events of these markets, and those with these tickers. */
  events(tickers: readonly string[], named: readonly string[]): Promise<readonly VenueEvent[]>;
  readonly note: Note;
  book(ticker: string, ladders: StreamLadders): VenueBook;
}

export function watchKalshi(venue: StreamedVenue, handlers: WatchHandlers): Watch {
  const books = new StreamBooks();
  const followed = new Set<string>();
  const awaited = new Set<string>();
  const changed = openChangesReader((tickers) => venue.events(tickers, []), handlers);
  const changedEvents = openChangesReader((named) => venue.events([], named), handlers);
  const crossed = new CrossedBooks();
  const fallback = openPollingFallback(venue.polled, handlers);
  /** Markets that are not followed until the next catalogue or connection. */
  const leftOut = new Set<string>();
  /** Markets that were reported as left out. */
  const told = new Set<string>();
  let catalogue: readonly string[] | undefined;
  let connection: StreamConnection | undefined;
  let subscriptions: BookSubscriptions | undefined;
  let closed = false;
  /** When this connection received the last snapshot; undefined before the first one. */
  let heardAt: number | undefined;
  let toldDownAt = Number.NEGATIVE_INFINITY;

  async function rise(): Promise<void> {
    if (awaited.size === 0 && !fallback.streams) {
      await fallback.streamUp();
      // a poll that was under way may have delivered their books again
      empty([...leftOut]);
    }
  }

  /** Replaces books that are not confirmed any more by empty ones. */
  function empty(tickers: readonly string[]): void {
    handlers.books(tickers.map((ticker) => venue.book(ticker, { yes_dollars: [], no_dollars: [] })));
  }

  async function subscribe(opened: StreamConnection): Promise<void> {
    const tickers = await venue.polled.listings();
    if (connection !== opened) {
      return;
    }
    catalogue = tickers;
    subscriptions = openBookSubscriptions(opened, (ticker) => leaveOut(ticker, 'the stream does not know it'));
    for (const ticker of tickers) {
      followed.add(ticker);
      awaited.add(ticker);
    }
    opened.send('subscribe', { channels: ['market_lifecycle_v2'] });
    subscriptions.follow(tickers);
    await rise();
  }

  /** Follows the markets of the newest catalogue. */
  async function relist(): Promise<void> {
    if (subscriptions === undefined || !fallback.streams) {
      return;
    }
    const tickers = await venue.polled.listings();
    if (tickers !== catalogue) {
      leftOut.clear();
      catalogue = tickers;
    }
    const listed = new Set(tickers);
    const gone = [...followed].filter((ticker) => !listed.has(ticker));
    const more = [...listed].filter((ticker) => !followed.has(ticker) && !leftOut.has(ticker));
    subscriptions?.unfollow(gone);
    subscriptions?.follow(more);
    books.forget(gone);
    for (const ticker of gone) {
      crossed.forget(ticker);
      followed.delete(ticker);
    }
    for (const ticker of more) {
      followed.add(ticker);
    }
  }

  function leaveOut(ticker: string, reason: string): void {
    leftOut.add(ticker);
    followed.delete(ticker);
    awaited.delete(ticker);
    books.forget([ticker]);
    crossed.forget(ticker);
    empty([ticker]);
    if (!told.has(ticker)) {
      told.add(ticker);
      handlers.invalid({ about: 'market', reason: `${ticker} is left out: ${reason}`, raw: ticker });
    }
    riseOrDrop();
  }

  /** Stops waiting for the markets that are the only ones without a book. */
  function leaveOutUnheard(): void {
    if (heardAt !== undefined && performance.now() - heardAt >= UNHEARD_MS) {
      for (const ticker of [...awaited]) {
        leaveOut(ticker, 'the stream does not report it');
      }
    }
  }

  function tellDown(reason: string): void {
    if (!closed && performance.now() - toldDownAt >= TELL_EVERY_MS) {
      toldDownAt = performance.now();
      handlers.invalid({ about: 'stream', reason: `it does not come up: ${reason}`, raw: reason });
    }
  }

  function riseOrDrop(): void {
    rise().catch(() => connection?.drop('the books could not be read'));
  }

  function show(ticker: string, ladders: StreamLadders): void {
    const book = venue.book(ticker, ladders);
    crossed.take(ticker, book);
    handlers.books([book]);
  }

  function dropCrossed(): void {
    const ticker = crossed.stays();
    if (ticker !== undefined) {
      connection?.drop(`the book of ${ticker} stays crossed`);
    }
  }

  function take(message: StreamMessage): void {
    if (message.type === 'subscribed') {
      const { channel, sid } = message.msg;
      subscriptions?.done(message.id, channel === 'orderbook_delta' ? sid : undefined);
    } else if (message.type === 'ok') {
      subscriptions?.done(message.id);
    } else if (message.type === 'orderbook_snapshot') {
      const { market_ticker: ticker } = message.msg;
      heardAt = performance.now();
      subscriptions?.listedOn(message.sid, ticker);
      told.delete(ticker);
      show(ticker, books.takeSnapshot(message.msg));
      awaited.delete(ticker);
      riseOrDrop();
    } else if (message.type === 'orderbook_delta') {
      const ladders = books.takeDelta(message.msg);
      if (ladders === undefined) {
        connection?.drop(`a change of ${message.msg.market_ticker} does not fit its book`);
      } else if (followed.has(message.msg.market_ticker)) {
        show(message.msg.market_ticker, ladders);
      }
    } else if (message.type === 'market_lifecycle_v2') {
      changed.add([message.msg.market_ticker]);
    } else if (message.type === 'event_lifecycle' || message.type === 'event_fee_update') {
      changedEvents.add([message.msg.event_ticker]);
    }
  }

  const stream = openKalshiStream(venue.stream, {
    opened(opened) {
      connection = opened;
      subscribe(opened).catch((error: Error) => opened.drop(error.message));
    },
    message: take,
    refused: (refusal) => subscriptions?.refused(refusal) ?? false,
    alive(at) {
      if (fallback.streams) {
        handlers.confirmed(at);
      }
    },
    ended(reason) {
      if (!fallback.streams) {
        tellDown(reason);
      }
      connection = undefined;
      subscriptions?.close();
      subscriptions = undefined;
      heardAt = undefined;
      leftOut.clear();
      books.forget([...followed]);
      followed.clear();
      crossed.clear();
      awaited.clear();
      fallback.streamDown(reason);
    },
    invalid: handlers.invalid,
    note: venue.note,
  });
  const listing = setInterval(() => {
    dropCrossed();
    leaveOutUnheard();
    relist().catch(() => undefined);
  }, LISTINGS_MS);
  return {
    get connected() {
      return fallback.connected;
    },
    async close() {
      closed = true;
      changed.close();
      changedEvents.close();
      clearInterval(listing);
      subscriptions?.close();
      stream.close();
      await fallback.close();
    },
  };
}

/**
 * Converts ladders into a book of the port.
 * @param ladders bids of YES and of NO; a bid of NO at p is an ask of YES at 1 - p
 * @param sequence rises with every book that this adapter returns, because the exchange numbers no book over REST
 */
export function readKalshiBook(
  listingId: string,
  ladders: Pick<z.output<typeof kalshiLadders>, 'yes_dollars' | 'no_dollars'>,
  sequence: bigint,
  observedAt: Date,
  feed: VenueBook['feed'] = 'rest',
): VenueBook {
  const best = (one: VenueLevel, other: VenueLevel) => (one.priceMicros > other.priceMicros ? -1 : 1);
  return {
    listingId,
    bids: [...ladders.yes_dollars].sort(best),
    asks: [...ladders.no_dollars]
      .sort(best)
      .map(({ priceMicros, quantityMicros }) => ({ priceMicros: ONE_DOLLAR_MICROS - priceMicros, quantityMicros })),
    sequence,
    observedAt,
    feed,
  };
}

type Snapshot = Extract<StreamMessage, { type: 'orderbook_snapshot' }>['msg'];
type Delta = Extract<StreamMessage, { type: 'orderbook_delta' }>['msg'];
type Ladder = Map<bigint, bigint>;

interface StreamLadders {
  readonly yes_dollars: VenueLevel[];
  readonly no_dollars: VenueLevel[];
}

/** Books in memory, kept from snapshots and deltas. The connection notices lost deltas, not this class. */
class StreamBooks {
  readonly #books = new Map<string, { readonly yes: Ladder; readonly no: Ladder }>();

  takeSnapshot(snapshot: Snapshot): StreamLadders {
    const ladder = (levels: readonly VenueLevel[]) =>
      new Map(levels.map(({ priceMicros, quantityMicros }) => [priceMicros, quantityMicros]));
    this.#books.set(snapshot.market_ticker, {
      yes: ladder(snapshot.yes_dollars_fp),
      no: ladder(snapshot.no_dollars_fp),
    });
    return this.#laddersOf(snapshot.market_ticker);
  }

  /** @returns undefined if the book is not known, or if the delta takes more from a level than it has */
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

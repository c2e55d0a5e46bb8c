/**
 * Follows Kalshi over its stream: books by snapshot and delta, and the events of markets whose state changed. While the stream
 * is down for longer than a moment, the books are polled over REST.
 */
import { chunksOf } from '../held.ts';
import type { VenueBook, VenueEvent } from '../listing.ts';
import { openPollingFallback } from '../polling-fallback.ts';
import type { PolledVenue } from '../polling-watch.ts';
import type { Watch, WatchHandlers } from '../port.ts';
import { openKalshiStream, type StreamConnection, type StreamSource } from './stream.ts';
import { StreamBooks, type StreamLadders } from './stream-books.ts';
import type { StreamMessage } from './stream-messages.ts';

/** Tickers in one command. */
const CHUNK = 500;
/** How often it is looked whether the catalogue lists other markets. */
const LISTINGS_MS = 1_000;
/** States that change together are read together. */
const CHANGES_MS = 300;
/** Books are matched at once, so one that stays crossed has missed a change. */
const CROSSED_MS = 2_000;

export interface StreamedVenue {
  readonly stream: StreamSource;
  readonly polled: PolledVenue;
  /** The events of these markets as they are now. */
  events(tickers: readonly string[]): Promise<readonly VenueEvent[]>;
  book(ticker: string, ladders: StreamLadders): VenueBook;
}

export function watchKalshi(venue: StreamedVenue, handlers: WatchHandlers): Watch {
  const books = new StreamBooks();
  const followed = new Set<string>();
  const awaited = new Set<string>();
  const changed = new Set<string>();
  /** When each of them crossed. */
  const crossed = new Map<string, number>();
  const fallback = openPollingFallback(venue.polled, handlers);
  let connection: StreamConnection | undefined;
  let sid: number | undefined;
  let reading: NodeJS.Timeout | undefined;
  let closed = false;
  /** Tickers of the first list that are added once the subscription has its number. */
  let waiting: string[][] = [];

  async function rise(): Promise<void> {
    if (awaited.size === 0) {
      await fallback.streamUp();
    }
  }

  async function subscribe(opened: StreamConnection): Promise<void> {
    const tickers = await venue.polled.listings();
    if (connection !== opened) {
      return;
    }
    opened.send('subscribe', { channels: ['market_lifecycle_v2'] });
    const [first = [], ...rest] = chunksOf(tickers, CHUNK);
    for (const ticker of tickers) {
      followed.add(ticker);
      awaited.add(ticker);
    }
    if (first.length > 0) {
      // the scale of NO prices is said explicitly, because the default will change
      opened.send('subscribe', { channels: ['orderbook_delta'], market_tickers: first, use_yes_price: false });
    }
    waiting = rest;
    await rise();
  }

  /** Follows what the newest catalogue lists. */
  async function relist(): Promise<void> {
    if (connection === undefined || sid === undefined || !fallback.streams) {
      return;
    }
    const listed = new Set(await venue.polled.listings());
    const gone = [...followed].filter((ticker) => !listed.has(ticker));
    const more = [...listed].filter((ticker) => !followed.has(ticker));
    update('delete_markets', gone);
    update('add_markets', more);
    books.forget(gone);
    for (const ticker of gone) {
      crossed.delete(ticker);
      followed.delete(ticker);
    }
    for (const ticker of more) {
      followed.add(ticker);
    }
  }

  function update(action: 'add_markets' | 'delete_markets', tickers: readonly string[]): void {
    for (const some of chunksOf(tickers, CHUNK)) {
      connection?.send('update_subscription', { sids: [sid], market_tickers: some, action, use_yes_price: false });
    }
  }

  function show(ticker: string, ladders: StreamLadders): void {
    const book = venue.book(ticker, ladders);
    const [bid, ask] = [book.bids[0], book.asks[0]];
    if (bid === undefined || ask === undefined || bid.priceMicros < ask.priceMicros) {
      crossed.delete(ticker);
    } else if (!crossed.has(ticker)) {
      crossed.set(ticker, performance.now());
    }
    handlers.books([book]);
  }

  function dropCrossed(): void {
    for (const [ticker, since] of crossed) {
      if (performance.now() - since >= CROSSED_MS) {
        connection?.drop(`the book of ${ticker} stays crossed`);
        return;
      }
    }
  }

  function take(message: StreamMessage): void {
    if (message.type === 'subscribed' && message.msg.channel === 'orderbook_delta') {
      sid = message.msg.sid;
      for (const some of waiting.splice(0)) {
        update('add_markets', some);
      }
    } else if (message.type === 'orderbook_snapshot') {
      const { market_ticker: ticker } = message.msg;
      show(ticker, books.takeSnapshot(message.msg));
      awaited.delete(ticker);
      rise().catch(() => connection?.drop('the books could not be read'));
    } else if (message.type === 'orderbook_delta') {
      const ladders = books.takeDelta(message.msg);
      if (ladders === undefined) {
        connection?.drop(`a change of ${message.msg.market_ticker} does not fit its book`);
      } else if (followed.has(message.msg.market_ticker)) {
        show(message.msg.market_ticker, ladders);
      }
    } else if (message.type === 'market_lifecycle_v2') {
      changed.add(message.msg.market_ticker);
      reading ??= setTimeout(readChanged, CHANGES_MS);
    }
  }

  function readChanged(): void {
    const tickers = [...changed];
    changed.clear();
    reading = undefined;
    venue.events(tickers).then(
      (events) => closed || handlers.changes(events.map((event) => ({ type: 'event', event }))),
      // the next read of the catalogue has them
      () => undefined,
    );
  }

  const stream = openKalshiStream(venue.stream, {
    opened(opened) {
      connection = opened;
      subscribe(opened).catch((error: Error) => opened.drop(error.message));
    },
    message: take,
    alive(at) {
      if (fallback.streams) {
        handlers.confirmed(at);
      }
    },
    ended(reason) {
      connection = undefined;
      sid = undefined;
      books.forget([...followed]);
      followed.clear();
      crossed.clear();
      awaited.clear();
      waiting = [];
      fallback.streamDown(reason);
    },
    invalid: handlers.invalid,
  });
  const listing = setInterval(() => {
    dropCrossed();
    relist().catch(() => undefined);
  }, LISTINGS_MS);
  return {
    get connected() {
      return fallback.connected;
    },
    async close() {
      closed = true;
      clearTimeout(reading);
      clearInterval(listing);
      stream.close();
      await fallback.close();
    },
  };
}

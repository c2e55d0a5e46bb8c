/**
 * Follows Polymarket's market channel: the books of all listed tokens over as many connections as they need, traded volumes, and the events
 * whose terms or state changed. While a connection is down for longer than a moment, the books are polled over REST.
 */
import { chunksOf } from '../adapter.ts';
import {
  openChangesReader,
  openPollingFallback,
  openReconnectingSocket,
  type PolledVenue,
  type SocketConnection,
} from '../follow.ts';
import type { Invalid, VenueBook, VenueEvent, VenueTraded } from '../listing.ts';
import type { Note, Watch, WatchHandlers } from '../port.ts';
import { type BookReader, KeptBooks, openBookReadings, type StreamedBook } from './books.ts';
import { type MarketMessage, type PriceChange, readMarketFrame, type TradeMessage, tokensIn } from './shapes.ts';

/** Tokens per connection. Above 500 the exchange sends a connection nothing more; clients have seen this, but no document states it. */
const MOST_TOKENS = 400;
/** Interval at which the catalogue is checked for other markets, and the wait after a failure. */
const LISTINGS_MS = 1_000;
const RETRY_MS = 5_000;

export interface StreamedVenue {
  /** Origin of the stream. */
  readonly url: string;
  readonly polled: PolledVenue;
  /** @param invalid receives books that do not fit the expected shape */
  read(tokens: readonly string[], invalid: (evidence: Invalid) => void): ReturnType<BookReader>;
  /** The events of these markets as they are now. */
  events(tokens: readonly string[]): Promise<readonly VenueEvent[]>;
  book(book: StreamedBook, asOf: Date | undefined): VenueBook;
  readonly note: Note;
}

interface Part {
  readonly stream: BookStream;
  ready: boolean;
  aliveAt: Date;
}

export function watchPolymarket(venue: StreamedVenue, handlers: WatchHandlers): Watch {
  const fallback = openPollingFallback(venue.polled, handlers);
  const parts: Part[] = [];
  const changed = openChangesReader(venue.events, handlers);
  const traded = createTradedSums();
  let closed = false;

  function openPart(tokens: readonly string[]): void {
    const part: { -readonly [Key in keyof Part]: Part[Key] } = {
      ready: false,
      aliveAt: new Date(),
      stream: openBookStream({ url: venue.url, read: (some) => venue.read(some, handlers.invalid) }, tokens, {
        book: (book, doubtedSince) =>
          handlers.books([{ ...venue.book(book, doubtedSince), traded: traded.of(book.asset_id) }]),
        traded: (trade) => traded.take(trade),
        ready() {
          part.ready = true;
          rise();
        },
        alive(at) {
          part.aliveAt = at;
          if (fallback.streams) {
            handlers.confirmed(new Date(Math.min(...parts.map(({ aliveAt }) => aliveAt.getTime()))));
          }
        },
        ended(reason) {
          part.ready = false;
          fallback.streamDown(reason);
        },
        changed: changed.add,
        invalid: handlers.invalid,
        note: venue.note,
      }),
    };
    parts.push(part);
  }

  function rise(): void {
    if (parts.every(({ ready }) => ready)) {
      fallback.streamUp().catch((error: Error) => fallback.streamDown(error.message));
    }
  }

  /** Follows the tokens of the newest catalogue: drops those that are gone, and adds new ones to connections that have room. */
  async function relist(): Promise<void> {
    const listed = new Set(await venue.polled.listings());
    if (closed) {
      return;
    }
    traded.keep(listed);
    for (const { stream } of parts) {
      const gone = [...stream.tokens].filter((token) => !listed.has(token));
      if (gone.length > 0) {
        stream.remove(gone);
      }
      for (const token of stream.tokens) {
        listed.delete(token);
      }
    }
    const more = [...listed];
    for (const { stream } of parts) {
      const some = more.splice(0, Math.max(0, MOST_TOKENS - stream.tokens.size));
      if (some.length > 0) {
        stream.add(some);
      }
    }
    while (more.length > 0) {
      openPart(more.splice(0, MOST_TOKENS));
    }
  }

  let listing: NodeJS.Timeout | undefined;
  function list(): void {
    relist().then(
      () => again(LISTINGS_MS),
      () => again(RETRY_MS),
    );
  }
  function again(ms: number): void {
    if (!closed) {
      listing = setTimeout(list, ms);
    }
  }
  list();

  return {
    get connected() {
      return fallback.connected;
    },
    async close() {
      closed = true;
      clearTimeout(listing);
      changed.close();
      for (const { stream } of parts) {
        stream.close();
      }
      await fallback.close();
    },
  };
}

const PATH = '/ws/market';
/**
 * The exchange requires a probe at least every ten seconds. We probe more often, because a reply confirms that unchanged books are current.
 */
const PROBE_MS = 2_000;
const SILENCE_MS = 8_000;
/** Tokens in one command: the exchange closes connections that send long commands. */
const CHUNK = 100;
const RAW_CHARS = 2_000;

interface BookSource {
  /** Origin, such as `wss://host`. */
  readonly url: string;
  readonly read: BookReader;
}

interface BookStreamHandlers {
  /** @param doubtedSince time since which the book may have missed a change; undefined if it is current */
  book(book: StreamedBook, doubtedSince: Date | undefined): void;
  /** Called before the book of that token is reported. */
  traded(trade: TradeMessage): void;
  /** Called once all books have arrived. */
  ready(): void;
  /** A probe was answered. @param at when it was sent */
  alive(at: Date): void;
  ended(reason: string): void;
  /** Terms or state of these markets changed. */
  changed(tokens: readonly string[]): void;
  invalid(evidence: Invalid): void;
  readonly note: Note;
}

interface BookStream {
  readonly tokens: ReadonlySet<string>;
  add(tokens: readonly string[]): void;
  remove(tokens: readonly string[]): void;
  close(): void;
}

/**
 * Follows the books of some tokens over one connection. A book that may have missed a change is doubted: it is reported with the time up to
 * which it was right, and read again over REST. Silence, a frame that is not a message, or books that cannot be read end the connection; a
 * new one then starts from nothing.
 */
function openBookStream(source: BookSource, first: readonly string[], handlers: BookStreamHandlers): BookStream {
  const tokens = new Set(first);
  const books = new KeptBooks();
  let connection: SocketConnection | undefined;
  let ready = false;
  const readings = openBookReadings({
    books,
    read: source.read,
    tokens,
    settled(token) {
      report(token);
      notice();
    },
    drop: (reason) => connection?.drop(reason),
  });

  function subscribe(some: readonly string[], begins: boolean): void {
    readings.await(some);
    for (const [index, chunk] of chunksOf(some, CHUNK).entries()) {
      command(chunk, begins && index === 0 ? { type: 'market' } : { operation: 'subscribe' });
    }
  }

  function command(chunk: readonly string[], how: object): void {
    connection?.send(JSON.stringify({ assets_ids: chunk, ...how, custom_feature_enabled: true }));
  }

  function report(token: string): void {
    const book = books.get(token);
    if (book !== undefined) {
      handlers.book(book, readings.doubtedSince(token));
    }
  }

  function notice(): void {
    if (!ready && connection !== undefined && readings.complete) {
      ready = true;
      handlers.ready();
    }
  }

  function take(message: MarketMessage): void {
    const isOurs = (token: string) => tokens.has(token);
    switch (message.event_type) {
      case 'book':
        if (isOurs(message.asset_id)) {
          books.takeSnapshot(message, message.timestamp);
          readings.trust(message.asset_id);
        }
        break;
      case 'price_change':
        takeChanges(
          message.price_changes.filter((change) => isOurs(change.asset_id)),
          message.timestamp,
        );
        break;
      case 'last_trade_price':
        if (isOurs(message.asset_id)) {
          handlers.traded(message);
          report(message.asset_id);
        }
        break;
      case 'tick_size_change':
        if (isOurs(message.asset_id)) {
          // levels may be gone with the old grid, so the book is doubted until it was read again
          readings.doubt(message.asset_id);
          report(message.asset_id);
          handlers.changed([message.asset_id]);
        }
        break;
      case 'market_resolved':
        handlers.changed(message.assets_ids.filter(isOurs));
    }
  }

  function takeChanges(changes: readonly PriceChange[], at: number): void {
    const last = new Map<string, PriceChange>();
    for (const change of changes) {
      readings.note(change, at);
      books.takeChange(change, at);
      last.set(change.asset_id, change);
    }
    for (const [token, change] of last) {
      if (books.get(token) !== undefined) {
        if (!books.hasBestOf(change)) {
          readings.doubt(token);
        }
        report(token);
      }
    }
  }

  /** A change that cannot be read costs the books that it names, which are read again; if it names none, any may be wrong. */
  function miss(message: unknown): void {
    const raw = JSON.stringify(message).slice(0, RAW_CHARS);
    handlers.invalid({ about: 'message', reason: 'a change that cannot be read', raw });
    const named = tokensIn(message);
    for (const token of named.length > 0 ? named.filter((one) => tokens.has(one)) : tokens) {
      readings.doubt(token);
      report(token);
    }
  }

  const socket = openReconnectingSocket(
    { url: `${source.url}${PATH}`, probeMs: PROBE_MS, silenceMs: SILENCE_MS, probe: { text: 'PING', answer: 'PONG' } },
    {
      opened(opened) {
        connection = opened;
        subscribe([...tokens], true);
        notice();
      },
      received(frame) {
        const read = readMarketFrame(frame, handlers.note);
        if (read === undefined) {
          handlers.invalid({ about: 'message', reason: 'unknown message', raw: frame.slice(0, RAW_CHARS) });
          return 'a message could not be read';
        }
        read.messages.forEach(take);
        read.missed.forEach(miss);
        return null;
      },
      alive: handlers.alive,
      ended(reason) {
        connection = undefined;
        ready = false;
        readings.reset();
        books.clear();
        handlers.ended(reason);
      },
    },
  );

  return {
    tokens,
    add(more) {
      for (const token of more) {
        tokens.add(token);
      }
      if (connection !== undefined) {
        subscribe(more, false);
      }
    },
    remove(gone) {
      for (const token of gone) {
        tokens.delete(token);
        readings.forget(token);
        books.forget(token);
      }
      for (const chunk of chunksOf(gone, CHUNK)) {
        command(chunk, { operation: 'unsubscribe' });
      }
      notice();
    },
    close() {
      readings.close();
      socket.close();
    },
  };
}

interface Sum extends VenueTraded {
  /** The last message, because the exchange may send one twice. */
  readonly last: string;
}

interface TradedSums {
  take(trade: TradeMessage): void;
  of(token: string): VenueTraded | undefined;
  /** Forgets all other tokens. */
  keep(tokens: ReadonlySet<string>): void;
}

/** Adds up the traded volume of each token. The sums survive a replaced connection. */
function createTradedSums(): TradedSums {
  const sums = new Map<string, Sum>();
  return {
    take({ asset_id: token, price, size, side, timestamp }) {
      const last = `${timestamp} ${side} ${size} ${price}`;
      const before = sums.get(token);
      if (before?.last !== last) {
        sums.set(token, { quantityMicros: (before?.quantityMicros ?? 0n) + size, priceMicros: price, last });
      }
    },
    of(token) {
      const sum = sums.get(token);
      return sum && { quantityMicros: sum.quantityMicros, priceMicros: sum.priceMicros };
    },
    keep(tokens) {
      for (const token of sums.keys()) {
        if (!tokens.has(token)) {
          sums.delete(token);
        }
      }
    },
  };
}

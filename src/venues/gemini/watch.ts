/**
 * Follows Gemini over its stream: books by a whole book and changes, and the events of contracts whose status changed. A contract of which
 * the stream says nothing is left out with an empty book until the next catalogue, so that it holds back no other. While the stream is
 * down there are no prices: books over REST are one request each, and 120 of those are allowed in a minute.
 */
import { CrossedBooks, openChangesReader } from '../followed.ts';
import type { VenueBook, VenueEvent } from '../listing.ts';
import type { Watch, WatchHandlers } from '../port.ts';
import type { Note } from '../unknowns.ts';
import { openGeminiStream, type StreamConnection, type StreamHandlers } from './stream.ts';
import { type StreamBook, StreamBooks } from './stream-books.ts';
import type { DepthMessage } from './stream-messages.ts';

/** How often it is looked whether the catalogue lists other contracts. */
const LISTINGS_MS = 1_000;
/** A contract whose book does not come by then, after the last one that came, is left out. */
const UNHEARD_MS = 5_000;
/** Names of streams in one command. */
const BATCH = 100;

export interface GeminiStreamed {
  /** Origin of the stream. */
  readonly url: string;
  /** Contracts that are open, of the newest catalogue. */
  listings(): Promise<readonly string[]>;
  /** These events as they are now. */
  events(tickers: readonly string[]): Promise<readonly VenueEvent[]>;
  readonly note: Note;
  book(symbol: string, book: StreamBook): VenueBook;
}

const EMPTY: StreamBook = { bids: [], asks: [] };
const streamOf = (symbol: string) => `${symbol}@depth`;

export function watchGemini(venue: GeminiStreamed, handlers: WatchHandlers): Watch {
  const books = new StreamBooks();
  /** Our names of the contracts that are followed, by those of the stream, which may write them otherwise. */
  const followed = new Map<string, string>();
  const awaited = new Set<string>();
  /** Until the next catalogue, or the next connection. */
  const leftOut = new Set<string>();
  const told = new Set<string>();
  const crossed = new CrossedBooks();
  const changed = openChangesReader(venue.events, handlers);
  let catalogue: readonly string[] | undefined;
  let connection: StreamConnection | undefined;
  let up = false;
  let closed = false;
  let heardAt = performance.now();

  const keyOf = (symbol: string) => symbol.toUpperCase();

  function follow(symbols: readonly string[]): void {
    if (symbols.length === 0) {
      return;
    }
    for (const symbol of symbols) {
      followed.set(keyOf(symbol), symbol);
      awaited.add(keyOf(symbol));
    }
    heardAt = performance.now();
    send('SUBSCRIBE', symbols);
  }

  function send(method: 'SUBSCRIBE' | 'UNSUBSCRIBE', symbols: readonly string[]): void {
    for (let from = 0; from < symbols.length; from += BATCH) {
      connection?.send(method, symbols.slice(from, from + BATCH).map(streamOf));
    }
  }

  /** Follows what the newest catalogue lists. */
  async function relist(): Promise<void> {
    const opened = connection;
    if (opened === undefined) {
      return;
    }
    const listed = await venue.listings();
    if (connection !== opened) {
      return;
    }
    if (listed !== catalogue) {
      leftOut.clear();
      catalogue = listed;
    }
    const keys = new Set(listed.map(keyOf));
    const gone = [...followed].filter(([key]) => !keys.has(key));
    for (const [key] of gone) {
      forget(key);
      followed.delete(key);
    }
    send(
      'UNSUBSCRIBE',
      gone.map(([, symbol]) => symbol),
    );
    follow(listed.filter((symbol) => !followed.has(keyOf(symbol)) && !leftOut.has(keyOf(symbol))));
    rise();
  }

  function rise(): void {
    if (!up && !closed && catalogue !== undefined && awaited.size === 0) {
      up = true;
      handlers.up();
    }
  }

  function forget(key: string): void {
    books.forget([key]);
    awaited.delete(key);
    crossed.forget(key);
  }

  function leaveOutUnheard(): void {
    if (awaited.size === 0 || performance.now() - heardAt < UNHEARD_MS) {
      return;
    }
    for (const key of [...awaited]) {
      const symbol = followed.get(key) ?? key;
      leftOut.add(key);
      forget(key);
      followed.delete(key);
      // the next subscription begins with the whole book again
      send('UNSUBSCRIBE', [symbol]);
      handlers.books([venue.book(symbol, EMPTY)]);
      if (!told.has(key)) {
        told.add(key);
        const reason = `${symbol} is left out: the stream says nothing of it`;
        handlers.invalid({ about: 'contract', reason, raw: symbol });
      }
    }
    rise();
  }

  function takeDepth(message: DepthMessage): void {
    const key = keyOf(message.symbol);
    const symbol = followed.get(key);
    if (symbol === undefined) {
      return;
    }
    const book = books.take({ ...message, symbol: key });
    if (book === undefined) {
      // on a new connection no change that is still on its way can be taken for the whole book
      connection?.drop(`a change of the book of ${symbol} is missing`);
      return;
    }
    heardAt = performance.now();
    crossed.take(key, book);
    handlers.books([venue.book(symbol, book)]);
    awaited.delete(key);
    rise();
  }

  function dropCrossed(): void {
    const key = crossed.stays();
    if (key !== undefined) {
      connection?.drop(`the book of ${key} stays crossed`);
    }
  }

  const message: StreamHandlers['message'] = (one) => {
    if (one.kind === 'depth') {
      takeDepth(one);
    } else if (one.kind === 'status') {
      changed.add([one.eventTicker]);
    }
  };

  const stream = openGeminiStream(
    { url: venue.url },
    {
      opened(opened) {
        connection = opened;
        catalogue = undefined;
        opened.send('SUBSCRIBE', ['contractStatus']);
        relist().catch((error: Error) => opened.drop(error.message));
      },
      message,
      alive(at) {
        if (up) {
          handlers.confirmed(at);
        }
      },
      ended(reason) {
        connection = undefined;
        for (const key of followed.keys()) {
          forget(key);
        }
        followed.clear();
        leftOut.clear();
        if (up && !closed) {
          up = false;
          handlers.down(reason);
        }
      },
      invalid: handlers.invalid,
      note: venue.note,
    },
  );
  const listing = setInterval(() => {
    dropCrossed();
    leaveOutUnheard();
    relist().catch(() => undefined);
  }, LISTINGS_MS);
  return {
    get connected() {
      return up;
    },
    async close() {
      closed = true;
      changed.close();
      clearInterval(listing);
      stream.close();
    },
  };
}

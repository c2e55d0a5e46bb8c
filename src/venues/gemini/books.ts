/**
 * Follows Gemini over its stream: books from a whole book and changes, and the events of contracts whose status changed. A contract that
 * the stream never reports gets an empty book until the next catalogue, so that it does not delay the others. Books are not polled
 * while the stream is down, because each costs one of 120 public requests per minute.
 */
import { CrossedBooks, openChangesReader, openReconnectingSocket } from '../follow.ts';
import type { Invalid, VenueBook, VenueEvent, VenueLevel } from '../listing.ts';
import type { Note, Watch, WatchHandlers } from '../port.ts';
import { jsonOf, parseExact } from '../shapes.ts';
import { type DepthMessage, HINTS, namedMessage, READ_NAMES, type StreamMessage, streamMessage } from './shapes.ts';

/** How often the followed contracts are compared with the newest catalogue. */
const LISTINGS_MS = 1_000;
/** How long after the last received book a missing one is awaited before its contract is left out. */
const UNHEARD_MS = 5_000;
/** Most names of streams per command. */
const BATCH = 100;

interface GeminiStreamed {
  /** Origin of the stream. */
  readonly url: string;
  /** Open contracts of the newest catalogue. */
  listings(): Promise<readonly string[]>;
  /** The current events with these tickers. */
  events(tickers: readonly string[]): Promise<readonly VenueEvent[]>;
  readonly note: Note;
  book(symbol: string, book: StreamBook): VenueBook;
}

const EMPTY: StreamBook = { bids: [], asks: [] };
const streamOf = (symbol: string) => `${symbol}@depth`;

export function watchGemini(venue: GeminiStreamed, handlers: WatchHandlers): Watch {
  const books = new StreamBooks();
  /** Followed contracts by their name in upper case, because the stream may write a name differently. */
  const followed = new Map<string, string>();
  const awaited = new Set<string>();
  /** Contracts that are not followed until the next catalogue or connection. */
  const leftOut = new Set<string>();
  /** Contracts that were reported as left out. */
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

  /** Follows the contracts of the newest catalogue. */
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
        const reason = `${symbol} is left out: the stream does not report it`;
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
      // only a new connection is safe: here, a change that is still on its way could be taken for the whole book
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

/** Requests the whole book as the first message about each book. */
const QUERY = '/?snapshot=-1';
const SILENCE_MS = 5_000;
const PING_MS = 1_000;
const RAW_CHARS = 2_000;

interface StreamSource {
  /** Origin, such as `wss://host`. */
  readonly url: string;
  /** Headers of the handshake, signed anew for each connection; missing for public streams. @throws if the secret cannot be read */
  readonly headers?: () => Readonly<Record<string, string>>;
}

interface StreamConnection {
  /** @param names of streams, such as `GEMI-X@depth` */
  send(method: 'SUBSCRIBE' | 'UNSUBSCRIBE', names: readonly string[]): void;
  /** Ends the connection; it is opened again. */
  drop(reason: string): void;
}

interface StreamHandlers {
  opened(connection: StreamConnection): void;
  message(message: Exclude<StreamMessage, { kind: 'answer' }>): void;
  /** A ping that was sent at `at` was answered. */
  alive(at: Date): void;
  ended(reason: string): void;
  invalid(evidence: Invalid): void;
  readonly note: Note;
}

/**
 * A WebSocket to Gemini that reconnects by itself. An unreadable message, a refused command or silence ends the connection, and the
 * caller subscribes again. It keeps no books.
 */
export function openGeminiStream(source: StreamSource, handlers: StreamHandlers): { close(): void } {
  let ids = 0;

  function take(text: string): string | null {
    const body = jsonOf(text, parseExact);
    const name = namedMessage.safeParse(body).data?.e;
    if (name !== undefined && !READ_NAMES.has(name)) {
      handlers.note('stream message', name);
      return null;
    }
    const message = streamMessage.safeParse(body).data;
    if (message === undefined && name !== undefined && HINTS.has(name)) {
      handlers.note('stream message that cannot be read', name);
      return null;
    }
    if (message === undefined) {
      handlers.invalid({ about: 'message', reason: 'unknown message', raw: text.slice(0, RAW_CHARS) });
      return 'a message could not be read';
    }
    if (message.kind !== 'answer') {
      handlers.message(message);
      return null;
    }
    const refused = message.error !== undefined || message.status >= 300;
    return refused
      ? `a command was refused: ${message.error?.code ?? message.status} ${message.error?.msg ?? ''}`
      : null;
  }

  return openReconnectingSocket(
    {
      url: `${source.url}${QUERY}`,
      ...(source.headers === undefined ? {} : { headers: source.headers }),
      probeMs: PING_MS,
      silenceMs: SILENCE_MS,
    },
    {
      opened({ drop, send }) {
        handlers.opened({
          drop,
          send: (method, params) => {
            ids += 1;
            send(JSON.stringify({ id: String(ids), method, params }));
          },
        });
      },
      received: take,
      alive: handlers.alive,
      ended: handlers.ended,
    },
  );
}

type Ladder = Map<bigint, bigint>;

interface StreamBook {
  /** Best first. */
  readonly bids: VenueLevel[];
  readonly asks: VenueLevel[];
}

/** Books in memory, kept from a whole book and numbered changes. */
export class StreamBooks {
  readonly #books = new Map<string, { last: bigint; readonly bids: Ladder; readonly asks: Ladder }>();

  /** @returns the book after the message; undefined if an earlier change is missing, so that the book must be subscribed again */
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

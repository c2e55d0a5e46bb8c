/** Reports a venue whose books are streamed as up or down, and polls its books while the stream is down for longer than a moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { VenueBook, VenueEvent } from './listing.ts';
import type { Watch, WatchHandlers } from './port.ts';

/** How long the stream may be down before the books are polled. */
const POLL_AFTER_MS = 3_000;

export interface PollingFallback {
  /** Whether the books come over the stream or by polling. */
  readonly connected: boolean;
  /** Whether the books come over the stream. */
  readonly streams: boolean;
  /** The stream has all books. Polling ends before the venue is reported as up. */
  streamUp(): Promise<void>;
  streamDown(reason: string): void;
  close(): Promise<void>;
}

export function openPollingFallback(polled: PolledVenue, handlers: WatchHandlers): PollingFallback {
  let up = false;
  let closed = false;
  let polling: Watch | undefined;
  let pollSoon: NodeJS.Timeout | undefined = setTimeout(poll, POLL_AFTER_MS);

  function poll(): void {
    polling ??= watchByPolling(polled, handlers);
  }

  return {
    get connected() {
      return up || polling?.connected === true;
    },
    get streams() {
      return up;
    },
    async streamUp() {
      if (up || closed) {
        return;
      }
      up = true;
      clearTimeout(pollSoon);
      const before = polling;
      polling = undefined;
      await before?.close();
      if (up && !closed) {
        handlers.up();
      }
    },
    streamDown(reason) {
      if (up && !closed) {
        up = false;
        handlers.down(reason);
        pollSoon = setTimeout(poll, POLL_AFTER_MS);
      }
    },
    async close() {
      closed = true;
      clearTimeout(pollSoon);
      await polling?.close();
    },
  };
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
const HANDSHAKE_MS = 5_000;

export interface SocketOptions {
  /** Complete address, such as `wss://host/path`. */
  readonly url: string;
  /** Headers of the handshake, made for each connection. @throws if they cannot be made */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly probeMs: number;
  /** Without anything received for this long the connection ends. */
  readonly silenceMs: number;
  /** Texts that probe the connection; a ping of the protocol if there are none. */
  readonly probe?: { readonly text: string; readonly answer: string };
}

export interface SocketConnection {
  send(text: string): void;
  /** Ends the connection; it is opened again. */
  drop(reason: string): void;
}

export interface SocketHandlers {
  opened(connection: SocketConnection): void;
  /** @returns why the connection cannot go on; null if it can */
  received(text: string): string | null;
  /** A probe that was sent at that time was answered. */
  alive(at: Date): void;
  ended(reason: string): void;
}

/**
 * A WebSocket to a venue that opens itself again with growing pauses. It is probed at an interval, and silence ends it. It knows
 * no message: what is received is passed on, and the receiver says whether the connection can go on.
 */
export function openReconnectingSocket(options: SocketOptions, handlers: SocketHandlers): { close(): void } {
  const { probe } = options;
  let closed = false;
  let wait = FIRST_WAIT_MS;
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;

  function connect(): void {
    let opened: WebSocket;
    try {
      opened = new WebSocket(options.url, {
        headers: options.headers?.() ?? {},
        handshakeTimeout: HANDSHAKE_MS,
        perMessageDeflate: false,
      });
    } catch (error) {
      again((error as Error).message);
      return;
    }
    socket = opened;
    follow(opened);
  }

  function follow(opened: WebSocket): void {
    let reason: string | undefined;
    let heardAt = performance.now();
    let probed = new Date();
    const drop = (why: string) => {
      reason ??= why;
      opened.terminate();
    };
    const answered = () => {
      wait = FIRST_WAIT_MS;
      handlers.alive(probed);
    };
    const beat = setInterval(() => {
      if (performance.now() - heardAt > options.silenceMs) {
        drop('nothing was received');
      } else if (opened.readyState === WebSocket.OPEN) {
        probed = new Date();
        if (probe === undefined) {
          opened.ping();
        } else {
          opened.send(probe.text);
        }
      }
    }, options.probeMs);
    opened.on('open', () => {
      heardAt = performance.now();
      handlers.opened({ drop, send: (text) => opened.send(text) });
    });
    opened.on('ping', () => {
      heardAt = performance.now();
    });
    opened.on('pong', () => {
      heardAt = performance.now();
      if (probe === undefined) {
        answered();
      }
    });
    opened.on('message', (data) => {
      if (reason !== undefined) {
        return;
      }
      heardAt = performance.now();
      const text = String(data);
      if (probe !== undefined && text === probe.answer) {
        answered();
        return;
      }
      const problem = handlers.received(text);
      if (problem !== null) {
        drop(problem);
      }
    });
    opened.on('error', (error) => drop(error.message));
    opened.on('close', () => {
      clearInterval(beat);
      if (socket === opened) {
        socket = undefined;
        again(reason ?? 'the connection ended');
      }
    });
  }

  function again(reason: string): void {
    if (closed) {
      return;
    }
    handlers.ended(reason);
    retry = setTimeout(connect, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  connect();
  return {
    close() {
      closed = true;
      clearTimeout(retry);
      socket?.terminate();
    },
  };
}

// What the followers of streams share: books that stay crossed, and changes of the catalogue that are read together.

/** The books of an exchange that matches at once: one that stays crossed has missed a change. */
const CROSSED_MS = 2_000;
/** What changes together is read together. */
const CHANGES_MS = 300;

export class CrossedBooks {
  /** When each of them crossed. */
  readonly #since = new Map<string, number>();

  take(id: string, { bids: [bid], asks: [ask] }: Pick<VenueBook, 'bids' | 'asks'>): void {
    if (bid === undefined || ask === undefined || bid.priceMicros < ask.priceMicros) {
      this.#since.delete(id);
    } else if (!this.#since.has(id)) {
      this.#since.set(id, performance.now());
    }
  }

  forget(id: string): void {
    this.#since.delete(id);
  }

  clear(): void {
    this.#since.clear();
  }

  /** One that has been crossed for too long. */
  stays(): string | undefined {
    const now = performance.now();
    return [...this.#since].find(([, since]) => now - since >= CROSSED_MS)?.[0];
  }
}

export interface ChangesReader {
  add(ids: readonly string[]): void;
  close(): void;
}

/** @param read the events of what changed, as they are now. What cannot be read is in the next catalogue. */
export function openChangesReader(
  read: (ids: readonly string[]) => Promise<readonly VenueEvent[]>,
  handlers: Pick<WatchHandlers, 'changes'>,
): ChangesReader {
  const changed = new Set<string>();
  let reading: NodeJS.Timeout | undefined;
  let closed = false;

  function readChanged(): void {
    const ids = [...changed];
    changed.clear();
    reading = undefined;
    read(ids).then(
      (events) => closed || handlers.changes(events.map((event) => ({ type: 'event', event }))),
      () => undefined,
    );
  }

  return {
    add(ids) {
      for (const id of ids) {
        changed.add(id);
      }
      if (changed.size > 0 && !closed) {
        reading ??= setTimeout(readChanged, CHANGES_MS);
      }
    },
    close() {
      closed = true;
      clearTimeout(reading);
    },
  };
}

export interface PolledVenue {
  /** Listings to follow, from the catalogue that was read last; reads it if none was. */
  listings(): Promise<readonly string[]>;
  /** Books of at most `batch` listings in one request. Invalid ones are passed to `handlers.invalid`. */
  books(listingIds: readonly string[], handlers: WatchHandlers): Promise<readonly VenueBook[]>;
  readonly batch: number;
  readonly everyMs: number;
  /** Pause between two batches, where there are many. */
  readonly betweenMs?: number;
}

const LONGEST_POLL_WAIT_MS = 60_000;

/**
 * Follows a read-only venue: polls its books and reports those that changed. A failed poll is reported as down and
 * retried with backoff; the next successful poll as up. It follows the listings of the newest catalogue, and reads the
 * catalogue itself the first time.
 */
export function watchByPolling(venue: PolledVenue, handlers: WatchHandlers): Watch {
  const last = new Map<string, string>();
  let up = false;
  let wait = venue.everyMs;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function round(): Promise<void> {
    const listings = await venue.listings();
    const listed = new Set(listings);
    for (const listingId of last.keys()) {
      if (!listed.has(listingId)) {
        last.delete(listingId);
      }
    }
    for (let from = 0; from < listings.length && !closed; from += venue.batch) {
      if (from > 0 && venue.betweenMs !== undefined) {
        await sleep(venue.betweenMs);
      }
      const books = await venue.books(listings.slice(from, from + venue.batch), handlers);
      const changed = books.filter((book) => {
        const text = textOf(book);
        const differs = last.get(book.listingId) !== text;
        last.set(book.listingId, text);
        return differs;
      });
      if (changed.length > 0 && !closed) {
        handlers.books(changed);
      }
    }
  }

  async function turn(): Promise<void> {
    try {
      await round();
      if (closed) {
        return;
      }
      wait = venue.everyMs;
      if (!up) {
        up = true;
        handlers.up();
      }
      handlers.confirmed(new Date());
    } catch (error) {
      if (closed) {
        return;
      }
      wait = Math.min(wait * 2, LONGEST_POLL_WAIT_MS);
      // The next poll reports all books again.
      last.clear();
      if (up) {
        up = false;
        handlers.down((error as Error).message);
      }
    }
  }

  let running = Promise.resolve();
  const start = () => {
    running = turn().finally(() => {
      if (!closed) {
        timer = setTimeout(start, wait);
      }
    });
  };
  start();
  return {
    get connected() {
      return up;
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

function textOf(book: VenueBook): string {
  const side = (levels: VenueBook['bids']) =>
    levels.map((level) => `${level.priceMicros}:${level.quantityMicros}`).join();
  return `${side(book.bids)}|${side(book.asks)}`;
}

/**
 * How adapters follow books: a WebSocket that reconnects by itself, polling while the stream is down, books that stay crossed, and
 * changes that are read together. Nothing here knows a message of an exchange.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { VenueBook, VenueEvent } from './listing.ts';
import type { Watch, WatchHandlers } from './port.ts';

/** How long a stream may be down before the books are polled. */
const POLL_AFTER_MS = 3_000;

interface PollingFallback {
  /** Whether books are received, over the stream or by polling. */
  readonly connected: boolean;
  /** Whether books are received over the stream. */
  readonly streams: boolean;
  /** Must be called when the stream has all books. Polling ends before the venue is reported as up. */
  streamUp(): Promise<void>;
  streamDown(reason: string): void;
  close(): Promise<void>;
}

/** Reports a venue whose books are streamed as up or down, and polls its books if the stream stays down. */
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

export interface PolledVenue {
  /** Listings to follow, from the last catalogue; reads one if there is none. */
  listings(): Promise<readonly string[]>;
  /** Books of at most `batch` listings in one request. Invalid books are passed to `handlers.invalid`. */
  books(listingIds: readonly string[], handlers: WatchHandlers): Promise<readonly VenueBook[]>;
  readonly batch: number;
  readonly everyMs: number;
  /** Pause between two batches; none if missing. */
  readonly betweenMs?: number;
}

const LONGEST_POLL_WAIT_MS = 60_000;

/**
 * Follows a venue by polling: reports the books that changed. A failed poll is reported as down and retried with backoff, and the next
 * successful one is reported as up.
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
      // the next poll reports all books again
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

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
const HANDSHAKE_MS = 5_000;

interface SocketOptions {
  /** Complete address, for example `wss://host/path`. */
  readonly url: string;
  /** Headers of the handshake, made for each connection. @throws if they cannot be made */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly probeMs: number;
  /** The connection ends if nothing is received for this long. */
  readonly silenceMs: number;
  /** Texts that probe the connection; if missing, protocol pings do. */
  readonly probe?: { readonly text: string; readonly answer: string };
}

export interface SocketConnection {
  send(text: string): void;
  /** Ends the connection; it is opened again. */
  drop(reason: string): void;
}

interface SocketHandlers {
  opened(connection: SocketConnection): void;
  /** @returns why the connection must end; null if it goes on */
  received(text: string): string | null;
  /** A probe that was sent at `at` was answered. */
  alive(at: Date): void;
  ended(reason: string): void;
}

/** Opens a WebSocket that reconnects by itself with growing pauses. It is probed at an interval, and silence ends the connection. */
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

/** How long a book may be crossed. Exchanges match immediately, so a book that stays crossed has missed a change. */
const CROSSED_MS = 2_000;
/** Remembers since when books are crossed. */
export class CrossedBooks {
  /** By id of a crossed book, when it crossed. */
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

  /** @returns the id of a book that has been crossed for too long */
  stays(): string | undefined {
    const now = performance.now();
    return [...this.#since].find(([, since]) => now - since >= CROSSED_MS)?.[0];
  }
}

/** How long changes are collected before they are read together. */
const CHANGES_MS = 300;

interface ChangesReader {
  add(ids: readonly string[]): void;
  close(): void;
}

/**
 * Collects ids of changes for a moment, then reads and reports their events. If that fails, the next catalogue contains the changes.
 * @param read returns the current events of the ids
 */
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

/**
 * The books of some tokens over one connection to Polymarket's market channel. A book that may have missed a change is doubted:
 * it is reported with the time up to which it was right, and read again over REST. Some books are compared with REST at an
 * interval. Silence, a message that cannot be read or books that cannot be read end the connection, and all begins again.
 */
import { chunksOf } from '../../held.ts';
import type { Invalid } from '../../listing.ts';
import { openReconnectingSocket, type SocketConnection } from '../../reconnecting-socket.ts';
import type { Note } from '../../unknowns.ts';
import { type BookReader, openBookReadings } from './book-readings.ts';
import { KeptBooks, type StreamedBook } from './kept-books.ts';
import { type MarketMessage, type PriceChange, readMarketFrame, type TradeMessage } from './messages.ts';

const PATH = '/ws/market';
/** The exchange asks for a probe every ten seconds at least; answers confirm that unchanged books are current. */
const PROBE_MS = 2_000;
const SILENCE_MS = 8_000;
/** Tokens in one command: the exchange ends connections whose commands are long. */
const CHUNK = 100;
const RAW_CHARS = 2_000;

export interface BookSource {
  /** Origin, such as `wss://host`. */
  readonly url: string;
  readonly read: BookReader;
}

export interface BookStreamHandlers {
  /** @param doubtedSince the book may have missed a change since then; undefined: it is current */
  book(book: StreamedBook, doubtedSince: Date | undefined): void;
  /** The book is reported after it. */
  traded(trade: TradeMessage): void;
  /** All books are there. */
  ready(): void;
  /** A probe that was sent at that time was answered. */
  alive(at: Date): void;
  ended(reason: string): void;
  /** Terms or state of these markets changed. */
  changed(tokens: readonly string[]): void;
  invalid(evidence: Invalid): void;
  readonly note: Note;
}

export interface BookStream {
  readonly tokens: ReadonlySet<string>;
  add(tokens: readonly string[]): void;
  remove(tokens: readonly string[]): void;
  close(): void;
}

export function openBookStream(source: BookSource, first: readonly string[], handlers: BookStreamHandlers): BookStream {
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
          // levels may have gone with the old grid: the book counts again once it was read
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

  const socket = openReconnectingSocket(
    { url: `${source.url}${PATH}`, probeMs: PROBE_MS, silenceMs: SILENCE_MS, probe: { text: 'PING', answer: 'PONG' } },
    {
      opened(opened) {
        connection = opened;
        subscribe([...tokens], true);
        notice();
      },
      received(frame) {
        const messages = readMarketFrame(frame, handlers.note);
        if (messages === undefined) {
          handlers.invalid({ about: 'message', reason: 'unknown message', raw: frame.slice(0, RAW_CHARS) });
          return 'a message could not be read';
        }
        messages.forEach(take);
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

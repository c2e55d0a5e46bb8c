/**
 * The venue's WebSocket feed: a snapshot of all books, then numbered messages with the changes, and a heartbeat every
 * second. The heartbeat contains the number of the last message, so that a reader notices lost ones and knows that the
 * rest is current.
 */
import type { Server } from 'node:http';
import type { WebSocket } from 'ws';
import { createStreamServer, type StreamServer } from '../../exchange/stream-server.ts';
import type { PaperContract, PaperEvent, PaperMatch } from '../catalogue/event.ts';
import type { Exchange } from '../market/exchange.ts';
import { renderBook, renderEvent, renderLive, renderMarket } from './answers.ts';

const FLUSH_MS = 50;
const HEARTBEAT_MS = 1_000;
/** A reader that is this far behind is disconnected. It then starts again with a snapshot. */
const BEHIND_BYTES = 16 * 1024 * 1024;

interface Reader {
  readonly socket: WebSocket;
  sequence: number;
}

export class Stream {
  /** Counts flushed changes of the catalogue, so that a reader can tell whether its copy is the newest. */
  version: number;
  readonly #exchange: Exchange;
  readonly #sockets: StreamServer<Reader>;
  readonly #books = new Set<PaperContract>();
  readonly #events = new Set<PaperEvent>();
  readonly #markets = new Map<PaperContract, PaperEvent>();
  readonly #matches = new Map<PaperEvent, PaperMatch>();
  readonly #coins = new Map<PaperEvent, number>();
  readonly #heartbeat: NodeJS.Timeout;
  #flush: NodeJS.Timeout | undefined;
  #origin = '';

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.#sockets = createStreamServer<Reader>(() => exchange.now());
    // Taken from the clock, so that no two runs use the same number.
    this.version = exchange.now();
    exchange.listener = {
      book: (contract) => this.#mark(this.#books.add(contract)),
      event: (event) => this.#mark(this.#events.add(event)),
      market: (event, contract) => this.#mark(this.#markets.set(contract, event)),
      match: (event, match) => this.#mark(this.#matches.set(event, match)),
      coin: (event, price) => this.#mark(this.#coins.set(event, price)),
    };
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  /** @param admits checks the `authorization` header of a request */
  attach(http: Server, origin: string, admits: (authorization: string | undefined) => boolean): void {
    this.#origin = origin;
    this.#sockets.attach(http, {
      admit: ({ url, headers }) => {
        if (!admits(headers.authorization)) {
          return '401 Unauthorized';
        }
        const allowed = url === '/v1/stream' && headers.origin === undefined;
        return allowed ? (socket) => this.#welcome(socket) : '403 Forbidden';
      },
    });
  }

  #welcome(socket: WebSocket): Reader {
    const reader: Reader = { socket, sequence: 0 };
    // The snapshot contains the changes that wait to be flushed. To send these again does no harm.
    const books = [...this.#exchange.contracts.values()].map(({ contract }) => renderBook(contract));
    socket.send(JSON.stringify({ type: 'hello', venue: this.#exchange.venue, version: this.version }));
    this.#send(reader, 'snapshot', JSON.stringify(books), 'books');
    return reader;
  }

  #mark(_: unknown): void {
    this.#flush ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  flush(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    const changes = this.#changes();
    if (changes.length > 0) {
      this.version += 1;
      this.#sendAll('changes', JSON.stringify({ version: this.version, list: changes }), 'changes');
    }
    if (this.#books.size > 0) {
      this.#sendAll('books', JSON.stringify([...this.#books].map(renderBook)), 'books');
      this.#books.clear();
    }
  }

  #changes(): object[] {
    const changes: object[] = [];
    for (const event of this.#events) {
      changes.push({ type: 'event', event: renderEvent(this.#exchange, event, this.#origin) });
    }
    for (const [contract, event] of this.#markets) {
      if (!this.#events.has(event)) {
        changes.push({ type: 'market', market: renderMarket(event, contract) });
      }
    }
    for (const [event] of this.#matches) {
      if (!this.#events.has(event)) {
        changes.push({ type: 'match', eventId: event.id, liveMatch: renderLive(this.#exchange, event) });
      }
    }
    const at = new Date(this.#exchange.now()).toISOString();
    for (const [{ id }, price] of this.#coins) {
      changes.push({ type: 'coin', eventId: id, price, at });
    }
    this.#coins.clear();
    this.#events.clear();
    this.#markets.clear();
    this.#matches.clear();
    return changes;
  }

  /** Messages are serialised once for all readers. */
  #sendAll(type: string, json: string, name: string): void {
    const lost = this.#sockets.loses();
    for (const reader of this.#sockets.clients) {
      if (lost) {
        reader.sequence += 1;
      } else {
        this.#send(reader, type, json, name);
      }
    }
  }

  #send(reader: Reader, type: string, json: string, name: string): void {
    reader.sequence += 1;
    if (reader.socket.bufferedAmount > BEHIND_BYTES && !this.#sockets.isSilent(reader)) {
      reader.socket.terminate();
    } else {
      this.#sockets.send(reader, `{"type":"${type}","seq":${reader.sequence},"${name}":${json}}`);
    }
  }

  #beat(): void {
    const at = new Date(this.#exchange.now()).toISOString();
    for (const reader of this.#sockets.clients) {
      this.#sockets.send(reader, JSON.stringify({ type: 'heartbeat', seq: reader.sequence, at }));
    }
  }

  /**
   * Faults for tests.
   *
   * @param fault.drop number of messages that are counted but not sent
   * @param fault.muteMs milliseconds for which nothing is sent
   * @param fault.cut whether all connections are closed
   */
  disturb({ drop = 0, muteMs = 0, cut = false }: { drop?: number; muteMs?: number; cut?: boolean }): void {
    this.#sockets.fault('gap', drop);
    this.#sockets.fault('silence', muteMs);
    if (cut) {
      this.#sockets.fault('disconnect');
    }
  }

  close(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#flush);
    this.#sockets.close();
  }
}

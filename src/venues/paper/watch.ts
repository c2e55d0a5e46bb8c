/**
 * Follows the paper venue's feed. The messages of one connection are numbered. If a number is missing, the feed is
 * reported down, all books are read over REST, and the feed is reported up again. If nothing arrives for longer than a
 * few heartbeats, the connection is closed and opened again with backoff.
 */
import { WebSocket } from 'ws';
import type { Invalid, VenueBook } from '../listing.ts';
import type { Watch, WatchHandlers } from '../port.ts';
import { validateItems } from '../shapes.ts';
import { asBook, bookShape, changeShape, type FeedMessage, messageShape } from './shapes.ts';

const SILENCE_MS = 5_000;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

export interface PaperBooks {
  readonly books: readonly VenueBook[];
  readonly invalid: readonly Invalid[];
}

/** What the feed needs from the rest of the adapter. */
interface PaperSource {
  readonly name: string;
  readonly token: string;
  locate(): Promise<string | undefined>;
  books(): Promise<PaperBooks>;
}

export function watchPaper(source: PaperSource, handlers: WatchHandlers): Watch {
  let closed = false;
  let up = false;
  let wait = FIRST_WAIT_MS;
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let silence: NodeJS.Timeout | undefined;
  let last = 0;
  let repairing: Promise<void> | undefined;

  async function connect(): Promise<void> {
    const origin = await source.locate().catch(() => undefined);
    if (closed) {
      return;
    }
    if (origin === undefined) {
      again('its address is not known');
      return;
    }
    const opened = new WebSocket(`${origin.replace(/^http/, 'ws')}/v1/stream`, {
      headers: { authorization: `Bearer ${source.token}` },
      handshakeTimeout: 3_000,
      perMessageDeflate: false,
    });
    socket = opened;
    last = 0;
    listenForSilence(opened);
    opened.on('message', (data) => {
      if (socket === opened) {
        listenForSilence(opened);
        read(String(data));
      }
    });
    opened.on('error', () => opened.terminate());
    opened.on('close', () => {
      if (socket === opened) {
        again('the connection ended');
      }
    });
  }

  function listenForSilence(opened: WebSocket): void {
    clearTimeout(silence);
    silence = setTimeout(() => opened.terminate(), SILENCE_MS);
  }

  function again(reason: string): void {
    socket = undefined;
    clearTimeout(silence);
    if (closed) {
      return;
    }
    if (up) {
      up = false;
      handlers.down(reason);
    }
    retry = setTimeout(connectSoon, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  function read(text: string): void {
    const message = parse(text);
    if (message === undefined) {
      handlers.invalid({ about: 'message', reason: 'unknown message', raw: text.slice(0, 2_000) });
      repair('a message could not be parsed');
      return;
    }
    if (message.type === 'hello') {
      return;
    }
    const expected = message.type === 'heartbeat' ? last : last + 1;
    const whole = message.seq === expected;
    last = message.seq;
    if (!whole) {
      repair(`expected message ${expected} but received ${message.seq}`);
    }
    take(message);
  }

  function take(message: Exclude<FeedMessage, { type: 'hello' }>): void {
    switch (message.type) {
      case 'snapshot':
        books(message.books);
        wait = FIRST_WAIT_MS;
        rise();
        return;
      case 'books':
        books(message.books);
        return;
      case 'changes': {
        const { good, invalid } = validateItems('change', changeShape, message.changes.list);
        for (const evidence of invalid) {
          handlers.invalid(evidence);
        }
        if (good.length > 0) {
          handlers.changes(good);
        }
        return;
      }
      default:
        // confirms nothing while a repair is in progress
        if (up && repairing === undefined) {
          handlers.confirmed(message.at);
        }
    }
  }

  function books(items: readonly unknown[]): void {
    const { good, invalid } = validateItems('book', bookShape, items);
    for (const evidence of invalid) {
      handlers.invalid(evidence);
    }
    const now = new Date();
    if (good.length > 0) {
      handlers.books(good.map((book) => asBook(book, now, 'websocket')));
    }
  }

  function rise(): void {
    if (!up && !closed) {
      up = true;
      handlers.up();
    }
  }

  function repair(reason: string): void {
    if (repairing !== undefined) {
      return;
    }
    const during = socket;
    if (up) {
      up = false;
      handlers.down(reason);
    }
    repairing = (async () => {
      const fresh = await source.books();
      if (closed || socket !== during) {
        return;
      }
      for (const evidence of fresh.invalid) {
        handlers.invalid(evidence);
      }
      handlers.books(fresh.books);
      rise();
    })()
      .catch(() => during?.terminate())
      .finally(() => {
        repairing = undefined;
      });
  }

  function connectSoon(): void {
    connect().catch(() => again('could not connect'));
  }

  connectSoon();
  return {
    get connected() {
      return up;
    },
    close: async () => {
      closed = true;
      clearTimeout(retry);
      clearTimeout(silence);
      socket?.terminate();
      await repairing;
    },
  };
}

function parse(text: string): FeedMessage | undefined {
  try {
    const result = messageShape.safeParse(JSON.parse(text));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}

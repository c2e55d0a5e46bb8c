/**
 * One signed WebSocket of Kalshi, which opens itself again with growing pauses. Messages of a subscription are numbered: a missing
 * number, a message that cannot be read, a terminal error, or silence ends the connection, and everything is subscribed again. It
 * keeps no books.
 */
import { WebSocket } from 'ws';
import type { Invalid } from '../listing.ts';
import { KNOWN_TYPES, type StreamMessage, streamMessage } from './stream-messages.ts';

export const STREAM_PATH = '/trade-api/ws/v2';
/** The exchange pings every ten seconds, and answers our ping of every second. */
const SILENCE_MS = 5_000;
const PING_MS = 1_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
const RAW_CHARS = 2_000;

export interface StreamSource {
  /** Origin, such as `wss://host`. */
  readonly url: string;
  /** Headers of the handshake, signed now. @throws if the key cannot be read */
  headers(): Readonly<Record<string, string>>;
}

export interface StreamHandlers {
  /** The connection is open: the caller subscribes. */
  opened(connection: StreamConnection): void;
  message(message: StreamMessage): void;
  /** A ping that was sent at that time was answered. */
  alive(at: Date): void;
  ended(reason: string): void;
  invalid(evidence: Invalid): void;
}

export interface StreamConnection {
  /** @param cmd `subscribe`, `update_subscription` */
  send(cmd: string, params: object): void;
  /** Ends the connection; it is opened again. */
  drop(reason: string): void;
}

export function openKalshiStream(source: StreamSource, handlers: StreamHandlers): { close(): void } {
  let closed = false;
  let wait = FIRST_WAIT_MS;
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let ids = 0;

  function connect(): void {
    let opened: WebSocket;
    try {
      opened = new WebSocket(`${source.url}${STREAM_PATH}`, {
        headers: source.headers(),
        handshakeTimeout: 5_000,
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
    const numbers = new Map<number, number>();
    let reason: string | undefined;
    let heardAt = performance.now();
    let pinged = new Date();
    const drop = (why: string) => {
      reason ??= why;
      opened.terminate();
    };
    const beat = setInterval(() => {
      if (performance.now() - heardAt > SILENCE_MS) {
        drop('nothing was received');
      } else if (opened.readyState === WebSocket.OPEN) {
        pinged = new Date();
        opened.ping();
      }
    }, PING_MS);
    opened.on('open', () => {
      heardAt = performance.now();
      handlers.opened({
        drop,
        send: (cmd, params) => {
          ids += 1;
          opened.send(JSON.stringify({ id: ids, cmd, params }));
        },
      });
    });
    opened.on('ping', () => {
      heardAt = performance.now();
    });
    opened.on('pong', () => {
      heardAt = performance.now();
      wait = FIRST_WAIT_MS;
      handlers.alive(pinged);
    });
    opened.on('message', (data) => {
      if (reason !== undefined) {
        return;
      }
      heardAt = performance.now();
      const problem = take(String(data), numbers);
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

  /** @returns why the connection cannot go on; null if it can */
  function take(text: string, numbers: Map<number, number>): string | null {
    const read = parse(text);
    if (read === undefined) {
      handlers.invalid({ about: 'message', reason: 'unknown message', raw: text.slice(0, RAW_CHARS) });
      return 'a message could not be read';
    }
    if (read === null) {
      return null;
    }
    const expected = NUMBERED.has(read.type) ? nextNumber(read as Numbered, numbers) : null;
    if (expected !== null) {
      return expected;
    }
    if (read.type === 'error') {
      return `the exchange refused a command: ${read.msg.code} ${read.msg.msg ?? ''}`.trim();
    }
    handlers.message(read);
    return null;
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

type Numbered = Extract<StreamMessage, { seq: number }>;

/** Acknowledgements count as well as books. */
const NUMBERED: ReadonlySet<string> = new Set<Numbered['type']>([
  'orderbook_snapshot',
  'orderbook_delta',
  'ok',
  'unsubscribed',
]);

/** @returns what is wrong with the number of a message; null if it follows the one before */
function nextNumber({ sid, seq }: Numbered, numbers: Map<number, number>): string | null {
  const last = numbers.get(sid);
  numbers.set(sid, seq);
  return last === undefined || seq === last + 1 ? null : `expected message ${last + 1} but received ${seq}`;
}

/** @returns null for a type that is not followed; undefined for what does not fit */
function parse(text: string): StreamMessage | null | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const type = (body as { type?: unknown } | null)?.type;
  if (typeof type !== 'string') {
    return undefined;
  }
  return KNOWN_TYPES.has(type) ? streamMessage.safeParse(body).data : null;
}

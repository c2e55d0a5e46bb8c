/**
 * One signed WebSocket of Kalshi, which opens itself again. Messages of a subscription are numbered: a missing number, a message
 * that cannot be read, a terminal error, or silence ends the connection, and everything is subscribed again. It keeps no books.
 */
import type { Invalid } from '../listing.ts';
import { openReconnectingSocket } from '../reconnecting-socket.ts';
import { KNOWN_TYPES, type StreamMessage, streamMessage } from './stream-messages.ts';

export const STREAM_PATH = '/trade-api/ws/v2';
/** The exchange pings every ten seconds, and answers our ping of every second. */
const SILENCE_MS = 5_000;
const PING_MS = 1_000;
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
  /** @returns whether a refused command was dealt with; if not, or where this is missing, the connection ends */
  refused?(refusal: Refusal): boolean;
  /** A ping that was sent at that time was answered. */
  alive(at: Date): void;
  ended(reason: string): void;
  invalid(evidence: Invalid): void;
}

export interface Refusal {
  /** Of the command, as `send` returned it; undefined where the exchange does not say which. */
  readonly id: number | undefined;
  readonly code: number;
  /** The market that is the reason, if it is named. */
  readonly ticker: string | undefined;
}

export interface StreamConnection {
  /** @param cmd `subscribe`, `update_subscription`. @returns the id of the command */
  send(cmd: string, params: object): number;
  /** Ends the connection; it is opened again. */
  drop(reason: string): void;
}

export function openKalshiStream(source: StreamSource, handlers: StreamHandlers): { close(): void } {
  let ids = 0;
  /** Last number of each subscription of this connection. */
  let numbers = new Map<number, number>();

  function take(text: string): string | null {
    const read = parse(text);
    if (read === undefined) {
      handlers.invalid({ about: 'message', reason: 'unknown message', raw: text.slice(0, RAW_CHARS) });
      return 'a message could not be read';
    }
    if (read === null) {
      return null;
    }
    const expected = isNumbered(read) ? nextNumber(read, numbers) : null;
    if (expected !== null) {
      return expected;
    }
    if (read.type === 'error') {
      const { code, market_ticker: ticker } = read.msg;
      if (handlers.refused?.({ id: read.id, code, ticker }) === true) {
        return null;
      }
      return `the exchange refused a command: ${read.msg.code} ${read.msg.msg ?? ''}`.trim();
    }
    handlers.message(read);
    return null;
  }

  return openReconnectingSocket(
    {
      url: `${source.url}${STREAM_PATH}`,
      headers: () => source.headers(),
      probeMs: PING_MS,
      silenceMs: SILENCE_MS,
    },
    {
      opened({ drop, send }) {
        numbers = new Map();
        handlers.opened({
          drop,
          send: (cmd, params) => {
            ids += 1;
            send(JSON.stringify({ id: ids, cmd, params }));
            return ids;
          },
        });
      },
      received: take,
      alive: handlers.alive,
      ended: handlers.ended,
    },
  );
}

type Numbered = StreamMessage & { readonly sid: number; readonly seq: number };

/** Acknowledgements and refusals count as well as books. */
function isNumbered(message: StreamMessage): message is Numbered {
  return 'seq' in message && typeof message.seq === 'number' && typeof message.sid === 'number';
}

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

/**
 * One signed WebSocket of Kalshi, which opens itself again. Messages of a subscription are numbered: a missing number, a message
 * that cannot be read, a terminal error, or silence ends the connection, and everything is subscribed again. It keeps no books.
 */

import type { Invalid } from '../listing.ts';
import { openReconnectingSocket } from '../reconnecting-socket.ts';
import { jsonOf } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import {
  type AnyMessage,
  anyMessage,
  HINTS,
  KNOWN_TYPES,
  type StreamMessage,
  streamMessage,
} from './stream-messages.ts';

export const STREAM_PATH = '/trade-api/ws/v2';
/** The exchange pings every ten seconds, and answers our ping of every second. */
const SILENCE_MS = 5_000;
const PING_MS = 1_000;
const RAW_CHARS = 2_000;
/** Of refusals and errors, by the exchange's own list. 6, 16 and 17 are said not to be sent any more. */
const KNOWN_CODES: ReadonlySet<number> = new Set([...Array(28).keys()].map((index) => index + 1));

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
  readonly note: Note;
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
    const body = jsonOf(text);
    const message = anyMessage.safeParse(body).data;
    if (message === undefined) {
      return unreadable(text);
    }
    const expected = nextNumber(message, numbers);
    if (expected !== null) {
      return expected;
    }
    if (!KNOWN_TYPES.has(message.type)) {
      handlers.note('stream message', message.type);
      return null;
    }
    const read = streamMessage.safeParse(body).data;
    if (read === undefined && HINTS.has(message.type)) {
      handlers.note('stream message that cannot be read', message.type);
      return null;
    }
    if (read === undefined) {
      return unreadable(text);
    }
    if (read.type === 'error') {
      const { code, market_ticker: ticker } = read.msg;
      if (handlers.refused?.({ id: read.id, code, ticker }) === true) {
        return null;
      }
      if (!KNOWN_CODES.has(code)) {
        handlers.note('stream error', String(code));
      }
      return `the exchange refused a command: ${read.msg.code} ${read.msg.msg ?? ''}`.trim();
    }
    handlers.message(read);
    return null;
  }

  function unreadable(text: string): string {
    handlers.invalid({ about: 'message', reason: 'unknown message', raw: text.slice(0, RAW_CHARS) });
    return 'a message could not be read';
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

/** @returns what is wrong with the number of a message, whatever it says; null if it follows the one before or has none */
function nextNumber({ sid, seq }: AnyMessage, numbers: Map<number, number>): string | null {
  if (sid === undefined || seq === undefined) {
    return null;
  }
  const last = numbers.get(sid);
  numbers.set(sid, seq);
  return last === undefined || seq === last + 1 ? null : `expected message ${last + 1} but received ${seq}`;
}

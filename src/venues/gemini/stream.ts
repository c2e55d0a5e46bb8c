/**
 * One WebSocket of Gemini, which opens itself again. A message that cannot be read, a refused command or silence ends the connection,
 * and everything is subscribed again. It keeps no books.
 */

import type { Invalid } from '../listing.ts';
import { openReconnectingSocket } from '../reconnecting-socket.ts';
import { jsonOf, parseExact } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import { HINTS, namedMessage, READ_NAMES, type StreamMessage, streamMessage } from './stream-messages.ts';

/** The first message about a book is the whole book. */
const QUERY = '/?snapshot=-1';
const SILENCE_MS = 5_000;
const PING_MS = 1_000;
const RAW_CHARS = 2_000;

export interface StreamSource {
  /** Origin, such as `wss://host`. */
  readonly url: string;
  /** Headers of the handshake, signed now; missing for public streams. @throws if the secret cannot be read */
  readonly headers?: () => Readonly<Record<string, string>>;
}

export interface StreamConnection {
  /** @param names of streams, such as `GEMI-X@depth` */
  send(method: 'SUBSCRIBE' | 'UNSUBSCRIBE', names: readonly string[]): void;
  /** Ends the connection; it is opened again. */
  drop(reason: string): void;
}

export interface StreamHandlers {
  opened(connection: StreamConnection): void;
  message(message: Exclude<StreamMessage, { kind: 'answer' }>): void;
  /** A ping that was sent at that time was answered. */
  alive(at: Date): void;
  ended(reason: string): void;
  invalid(evidence: Invalid): void;
  readonly note: Note;
}

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

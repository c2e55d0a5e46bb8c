/**
 * Server-sent events as bytes that every socket shares: each event is rendered once and wrapped once in a chunk of the
 * chunked transfer coding of HTTP/1.1. This file knows no prices and no sockets.
 */

export interface StreamEvent {
  /** The id of the event. Ids rise during the life of the process and across restarts. */
  readonly id: number;
  /** The bytes to write to a chunked connection. */
  readonly chunk: Buffer;
  /** The same bytes without the chunk, for HTTP/1.0. */
  readonly plain: Buffer;
}

const CRLF_LENGTH = 2;

function wrap(id: number, text: string): StreamEvent {
  const length = Buffer.byteLength(text);
  const size = `${length.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafeSlow(size.length + length + CRLF_LENGTH);
  chunk.write(size, 0, 'latin1');
  chunk.write(text, size.length, 'utf8');
  chunk.write('\r\n', size.length + length, 'latin1');
  return { id, chunk, plain: chunk.subarray(size.length, size.length + length) };
}

/** @param json one line of JSON text */
export function streamEvent(event: 'snapshot' | 'price' | 'closed', id: number, json: string): StreamEvent {
  return wrap(id, `id: ${id}\nevent: ${event}\ndata: ${json}\n\n`);
}

export const PING: StreamEvent = wrap(0, ': ping\n\n');
/** The chunk that ends a chunked response. */
export const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Joins events in their order into one, so that a socket is written to once. */
export function joinEvents(events: readonly StreamEvent[]): StreamEvent {
  const first = events[0];
  if (events.length === 1 && first !== undefined) {
    return first;
  }
  return {
    id: events.at(-1)?.id ?? 0,
    chunk: Buffer.concat(events.map(({ chunk }) => chunk)),
    plain: Buffer.concat(events.map(({ plain }) => plain)),
  };
}

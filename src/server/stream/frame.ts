/**
 * Server-sent event frames as bytes that are shared by every socket they go to: rendered once, wrapped once in the chunk
 * of HTTP/1.1's chunked coding. It knows no prices and no sockets.
 */

export interface Frame {
  /** Its number, rising over the life of the process and across restarts. */
  readonly id: number;
  /** As it goes over a chunked connection. */
  readonly chunk: Buffer;
  /** The same bytes without the wrapping, for HTTP/1.0. */
  readonly plain: Buffer;
}

const CRLF_LENGTH = 2;

function wrap(id: number, text: string): Frame {
  const length = Buffer.byteLength(text);
  const size = `${length.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafeSlow(size.length + length + CRLF_LENGTH);
  chunk.write(size, 0, 'latin1');
  chunk.write(text, size.length, 'utf8');
  chunk.write('\r\n', size.length + length, 'latin1');
  return { id, chunk, plain: chunk.subarray(size.length, size.length + length) };
}

/** @param json one line, as JSON text is. */
export function eventFrame(event: 'snapshot' | 'price' | 'closed', id: number, json: string): Frame {
  return wrap(id, `id: ${id}\nevent: ${event}\ndata: ${json}\n\n`);
}

export const PING: Frame = wrap(0, ': ping\n\n');
/** The end of a chunked answer. */
export const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Frames in their order as one piece of bytes, so that a socket is written to once. */
export function joinFrames(frames: readonly Frame[]): Frame {
  const first = frames[0];
  if (frames.length === 1 && first !== undefined) {
    return first;
  }
  return {
    id: frames.at(-1)?.id ?? 0,
    chunk: Buffer.concat(frames.map(({ chunk }) => chunk)),
    plain: Buffer.concat(frames.map(({ plain }) => plain)),
  };
}

/**
 * Readers of server-sent events on raw sockets. Prints `ready` when every active reader has had its first bytes, then each time all of them
 * together have had another frame. Idle readers are only connected.
 */
import { once } from 'node:events';
import { createConnection } from 'node:net';

export interface StreamOrder {
  readonly url: string;
  /** Taken in turn by the connections. */
  readonly paths: readonly string[];
  readonly connections: number;
  /** How many of these never read. */
  readonly neverRead: number;
  /** A text that occurs once in each frame that is counted. */
  readonly mark: string;
}

export type StreamWord =
  | { readonly ready: true }
  | { readonly passed: number; readonly frames: number; readonly sample: string };

const CONNECTING = 200;
const [order] = (await once(process, 'message')) as [StreamOrder];
const { hostname, port } = new URL(order.url);
const readers = order.connections - order.neverRead;
let begun = 0;
let frames = 0;
let passed = 0;
let sample = '';

function read(buffer: Buffer): void {
  for (let at = buffer.indexOf(order.mark); at >= 0; at = buffer.indexOf(order.mark, at + order.mark.length)) {
    frames += 1;
  }
  if (sample === '' && frames > 0) {
    sample = buffer.toString('latin1');
  }
  if (frames >= (passed + 1) * readers) {
    passed = Math.floor(frames / readers);
    process.send?.({ passed, frames, sample } satisfies StreamWord);
  }
}

async function open(index: number): Promise<void> {
  const path = order.paths[index % order.paths.length] ?? '/';
  const reads = index >= order.neverRead;
  let first = true;
  const socket = createConnection({
    host: hostname,
    port: Number(port),
    // One buffer for all, because no bytes are kept.
    ...(reads && {
      onread: {
        buffer: shared,
        callback: (size: number, buffer: Uint8Array) => {
          if (first) {
            first = false;
            begun += 1;
            if (begun === readers) {
              process.send?.({ ready: true } satisfies StreamWord);
            }
          } else {
            read(Buffer.from(buffer.buffer, buffer.byteOffset, size));
          }
          return true;
        },
      },
    }),
  });
  if (!reads) {
    socket.pause();
  }
  socket.on('error', (error) => {
    process.stderr.write(`a reader of the stream: ${error.message}\n`);
    process.exit(1);
  });
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: text/event-stream\r\n\r\n`);
}

const shared = Buffer.alloc(1 << 16);
for (let from = 0; from < order.connections; from += CONNECTING) {
  const now = Math.min(CONNECTING, order.connections - from);
  await Promise.all(Array.from({ length: now }, (_, index) => open(from + index)));
}
process.on('message', (message) => message === 'close' && process.exit(0));
process.on('disconnect', () => process.exit(0));

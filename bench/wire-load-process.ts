/**
 * A load process for answers of known length: sends one GET after the other on raw sockets and counts bytes, so that what is
 * measured is the server and not a client's parser. It refuses chunked answers and counts every status that is not 200.
 */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

export interface WireOrder {
  readonly url: string;
  readonly path: string;
  /** Whole sets of header lines, taken in turn. */
  readonly headers: readonly string[];
  readonly inFlight: number;
  readonly count: number;
}

export interface WireAnswer {
  readonly perSecond: number;
  readonly failed: number;
  readonly bytes: number;
}

const [order] = (await once(process, 'message')) as [WireOrder];
const { hostname, port } = new URL(order.url);
const requests = order.headers.map((lines) =>
  Buffer.from(`GET ${order.path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${lines}\r\n`),
);
let sent = 0;
let failed = 0;
let bytes = 0;

function send(socket: Socket): boolean {
  const request = requests[sent % requests.length];
  if (sent >= order.count || request === undefined) {
    return false;
  }
  sent += 1;
  socket.write(request);
  return true;
}

/** One connection; resolves when nothing is left to ask. */
function lane(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.setNoDelay(true);
    let head: Buffer | null = null;
    let missing = 0;
    const done = () => {
      if (!send(socket)) {
        socket.destroy();
        resolve();
      }
    };
    socket.on('connect', done);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (missing > 0) {
        missing -= chunk.length;
        if (missing === 0) done();
        return;
      }
      head = head === null ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (length === undefined) {
        reject(new Error(`an answer without a length: ${text}`));
        return;
      }
      if (!text.startsWith('HTTP/1.1 200')) failed += 1;
      missing = Number(length) - (head.length - end - 4);
      head = null;
      if (missing === 0) done();
    });
  });
}

const start = performance.now();
await Promise.all(Array.from({ length: order.inFlight }, lane));
const seconds = (performance.now() - start) / 1000;
process.send?.({ perSecond: order.count / seconds, failed, bytes } satisfies WireAnswer);
process.disconnect();

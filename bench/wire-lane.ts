/**
 * One kept connection on a raw socket: sends a request and waits for its response, so that the server is measured and not a client's
 * parser. It refuses chunked responses.
 */
import { once } from 'node:events';
import { createConnection } from 'node:net';

export interface WireReply {
  readonly status: number;
  /** Bytes of head and body together. */
  readonly bytes: number;
  /** Empty if bodies are not kept. */
  readonly body: string;
}

export interface WireLane {
  /**
   * One at a time.
   * @throws if the server closes the connection or responds without a length
   */
  send(request: Buffer): Promise<WireReply>;
  close(): void;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;

/** Resolves when the connection stands. @param keepsBodies a refusal's body is always kept. */
export async function openLane(url: string, keepsBodies: boolean): Promise<WireLane> {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.setNoDelay(true);
  await once(socket, 'connect');

  let waiting: PromiseWithResolvers<WireReply> | null = null;
  let head = '';
  let status = 0;
  let bytes = 0;
  let missing = 0;
  let parts: Buffer[] | null = null;

  function fail(error: Error): void {
    waiting?.reject(error);
    waiting = null;
  }
  function finish(): void {
    const reply = { status, bytes, body: parts === null ? '' : Buffer.concat(parts).toString('utf8') };
    const { resolve } = waiting ?? {};
    waiting = null;
    head = '';
    bytes = 0;
    parts = null;
    resolve?.(reply);
  }
  function onBody(chunk: Buffer): void {
    parts?.push(chunk);
    missing -= chunk.length;
    if (missing === 0) {
      finish();
    }
  }
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (missing > 0) {
      onBody(chunk);
      return;
    }
    const before = head.length;
    head += chunk.toString('latin1');
    const end = head.indexOf(HEAD_END);
    if (end < 0) {
      return;
    }
    const length = LENGTH.exec(head.slice(0, end))?.[1];
    if (length === undefined) {
      fail(new Error(`an answer without a length: ${head.slice(0, end)}`));
      return;
    }
    status = Number(head.slice(9, 12));
    missing = Number(length);
    parts = keepsBodies || status >= 300 ? [] : null;
    onBody(chunk.subarray(end + HEAD_END.length - before));
  });

  return {
    send: (request) => {
      waiting = Promise.withResolvers<WireReply>();
      socket.write(request);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

/** A request as its bytes. @param lines further header lines, each with its line end. */
export function requestBytes(url: string, method: string, path: string, lines: string, body = ''): Buffer {
  const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${length}${lines}\r\n${body}`);
}

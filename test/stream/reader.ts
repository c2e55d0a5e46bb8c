/** A reader of the price stream over a raw socket, which can stop reading. */
import { connect, type Socket } from 'node:net';
import type { AnyJson } from '../support/any-json.ts';
import { until } from '../support/until.ts';

export interface StreamEvent {
  readonly id: number;
  readonly event: string;
  readonly data: AnyJson;
}

export interface Reader {
  readonly socket: Socket;
  readonly head: string;
  readonly events: StreamEvent[];
  readonly comments: string[];
  readonly ended: boolean;
  /** Resolves with the first event that fits, or rejects after a moment. */
  next(fits: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  close(): void;
}

const TIMEOUT_MS = 5_000;

export async function openReader(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  version = '1.1',
): Promise<Reader> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const events: StreamEvent[] = [];
  const comments: string[] = [];
  let buffered = Buffer.alloc(0);
  let head = '';
  let text = '';
  let ended = false;
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`GET ${path} HTTP/${version}\r\n${lines.join('')}\r\n`);
  socket.on('error', () => {});
  socket.on('close', () => {
    ended = true;
  });
  socket.on('data', (bytes: Buffer) => {
    buffered = Buffer.concat([buffered, bytes]);
    if (head === '') {
      const end = buffered.indexOf('\r\n\r\n');
      if (end === -1) {
        return;
      }
      head = buffered.subarray(0, end).toString();
      buffered = buffered.subarray(end + 4);
    }
    if (head.includes('transfer-encoding: chunked')) {
      takeChunks();
    } else {
      text += buffered.toString();
      buffered = Buffer.alloc(0);
    }
    takeEvents();
  });

  function takeChunks(): void {
    for (;;) {
      const end = buffered.indexOf('\r\n');
      if (end === -1) {
        return;
      }
      const size = Number.parseInt(buffered.subarray(0, end).toString(), 16);
      if (buffered.length < end + 4 + size) {
        return;
      }
      text += buffered.subarray(end + 2, end + 2 + size).toString();
      buffered = buffered.subarray(end + 4 + size);
    }
  }

  function takeEvents(): void {
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      if (fields.has('')) {
        comments.push(block);
      } else {
        events.push({
          id: Number(fields.get('id')),
          event: fields.get('event') ?? '',
          data: JSON.parse(fields.get('data') ?? 'null'),
        });
      }
    }
  }

  await until(() => head !== '' || ended, Boolean, TIMEOUT_MS);
  return {
    socket,
    get head() {
      return head;
    },
    events,
    comments,
    get ended() {
      return ended;
    },
    async next(fits) {
      const found = await until(
        () => events.find(fits),
        (event) => event !== undefined,
        TIMEOUT_MS,
      );
      return found as StreamEvent;
    },
    close: () => socket.destroy(),
  };
}

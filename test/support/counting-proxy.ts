/** A TCP proxy before an HTTP server that counts what it is asked, and can cut what is open or change what the server sends. */
import { createServer, connect as open, type Socket } from 'node:net';

export interface CountingProxy {
  readonly url: string;
  /** Requests so far, also those that became WebSockets. */
  readonly requests: number;
  /** What becomes of the next bytes of the server. */
  rewrite: (bytes: Buffer) => Buffer;
  /** For how long what the server sends is held back. */
  delayMs: number;
  /** Ends every connection that is open. */
  cut(): void;
  close(): Promise<void>;
}

const REQUEST = /^(?:GET|POST|DELETE|PUT) \S+ HTTP\/1\.1\r$/gm;

/** @param origin of the server, such as `http://127.0.0.1:8091` */
export async function openCountingProxy(origin: string): Promise<CountingProxy> {
  const target = new URL(origin);
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((client) => {
    const upstream = open(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.end();
      });
    }
    client.on('data', (bytes) => {
      requests += bytes.toString('latin1').match(REQUEST)?.length ?? 0;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      const send = () => client.write(proxy.rewrite(bytes));
      if (proxy.delayMs === 0) {
        send();
      } else {
        setTimeout(send, proxy.delayMs);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('the proxy has no port');
  }
  const cut = () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
  const proxy: CountingProxy = {
    url: `http://127.0.0.1:${address.port}`,
    get requests() {
      return requests;
    },
    rewrite: (bytes) => bytes,
    delayMs: 0,
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

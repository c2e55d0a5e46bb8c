/** A TCP proxy before an HTTP server that counts what it is asked, and can cut what is open or change what the server sends. */
import { openTcpProxy } from './tcp-proxy.ts';

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
  let requests = 0;
  const { port, cut, close } = await openTcpProxy(new URL(origin), (client, upstream) => {
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
  const proxy: CountingProxy = {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    rewrite: (bytes) => bytes,
    delayMs: 0,
    cut,
    close,
  };
  return proxy;
}

/** A TCP proxy before a real PostgreSQL that cuts, changes or holds back what the server sends. */
import { openTcpProxy } from './tcp-proxy.ts';

export interface WireProxy {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** What becomes of the next bytes of the server. */
  rewrite: (bytes: Buffer) => Buffer;
  /** A statement with this text is prepared, and executed with its answer lost, as are all later ones of its connection. */
  loseAnswersOf: string | undefined;
  /** After how many more bytes of the server the connection is cut; undefined once it was. */
  cutAfter: number | undefined;
  close(): Promise<void>;
}

export async function openWireProxy(databaseUrl: string): Promise<WireProxy> {
  const url = new URL(databaseUrl);
  const { port, close } = await openTcpProxy(new URL(databaseUrl), (client, upstream) => {
    let prepared = false;
    let lost = false;
    client.on('data', (bytes) => {
      lost ||= prepared;
      prepared ||= proxy.loseAnswersOf !== undefined && bytes.includes(proxy.loseAnswersOf);
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (lost) {
        return;
      }
      if (proxy.cutAfter !== undefined && bytes.length > proxy.cutAfter) {
        client.end(bytes.subarray(0, proxy.cutAfter));
        upstream.destroy();
        proxy.cutAfter = undefined;
      } else {
        proxy.cutAfter = proxy.cutAfter === undefined ? undefined : proxy.cutAfter - bytes.length;
        client.write(proxy.rewrite(bytes));
      }
    });
  });
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const proxy: WireProxy = {
    url: url.href,
    rewrite: (bytes) => bytes,
    loseAnswersOf: undefined,
    cutAfter: undefined,
    close,
  };
  return proxy;
}

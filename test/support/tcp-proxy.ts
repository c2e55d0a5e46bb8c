/** A TCP proxy on loopback: it connects both sides and closes them together; what passes between them is the caller's business. */
import { createServer, connect as open, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Ends every connection that is open. */
  cut(): void;
  close(): Promise<void>;
}

/** @param pass called once for each connection; passes the bytes of both sides on */
export async function openTcpProxy(target: URL, pass: (client: Socket, upstream: Socket) => void): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
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
    pass(client, upstream);
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
  return {
    port: address.port,
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

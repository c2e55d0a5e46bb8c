/** A load balancer of the test: sends each request to a server whose health check is good, and repeats none. */
import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  readonly url: string;
  add(server: string): void;
  close(): Promise<void>;
}

const LOOK_MS = 100;

export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const healthy = new Map<string, boolean>();
  let next = 0;
  const looking = setInterval(() => {
    for (const server of healthy.keys()) {
      fetch(`${server}/api/health`).then(
        ({ ok }) => healthy.set(server, ok),
        () => healthy.set(server, false),
      );
    }
  }, LOOK_MS);
  const proxy = createServer((incoming, outgoing) => {
    const good = [...healthy].flatMap(([server, ok]) => (ok ? [server] : []));
    next += 1;
    const server = good[next % good.length];
    const fail = (error: Error) => outgoing.writeHead(502).end(JSON.stringify({ error: error.message }));
    if (server === undefined) {
      fail(new Error('no server is healthy'));
      return;
    }
    const { method, headers } = incoming;
    const onward = send(new URL(incoming.url ?? '/', server), { method: method ?? 'GET', headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' });
      answer.pipe(outgoing);
    });
    onward.on('error', fail);
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    add: (server) => void healthy.set(server, false),
    close: async () => {
      clearInterval(looking);
      agent.destroy();
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

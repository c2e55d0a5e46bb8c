/** Ports that nothing listens on, below those that outgoing connections take while a server is down. */
import { createServer } from 'node:net';

const FIRST = 20_000;
const LAST = 30_000;

export async function findPorts(count: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let port = FIRST + (process.pid % 5_000); port < LAST && found.length < count; port += 1) {
    if (await isFree(port)) {
      found.push(port);
    }
  }
  if (found.length < count) {
    throw new Error(`no ${count} free ports from ${FIRST} to ${LAST}`);
  }
  return found;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

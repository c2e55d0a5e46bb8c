/** Ports for programs that are told their port and open it later: below those that the system gives out by itself, so that nobody gets one meanwhile. */
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

const LOWEST = 10_000;
/** The first of the ports that Linux gives out. */
const ABOVE = 32_768;

/** @returns a port of loopback that nothing listens on, chosen by chance, because files of tests run side by side */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const port = randomInt(LOWEST, ABOVE);
    const server = createServer();
    server.once('error', () => freePort().then(resolve, reject));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)));
  });
}

/** @throws if nothing accepts connections at the port. */
export function answersAt(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}

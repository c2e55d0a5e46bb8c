/**
 * A receiver in a separate process: responds 200 at once, except on paths that start with /hang, to which it never responds. Prints its
 * port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume();
  if (request.url?.startsWith('/hang')) {
    return;
  }

  request.on('end', () => response.writeHead(200, { 'content-length': 2 }).end('ok'));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.on('disconnect', () => process.exit());

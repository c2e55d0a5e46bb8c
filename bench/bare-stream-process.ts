/** The baseline of `stream`: node:http and one shared framed Buffer, written to every socket at each word of the parent. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const [{ frame }] = (await once(process, 'message')) as [{ frame: string }];
const shared = Buffer.from(frame, 'latin1');
const sockets = new Set<Socket>();
const server = createServer((request, response) => {
  const { socket } = request;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': hello\n\n');
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
});
server.listen(0, '127.0.0.1', 1024);
await once(server, 'listening');
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
process.on('message', (message) => {
  if (message === 'close') {
    process.exit(0);
  }
  for (const socket of sockets) {
    socket.write(shared);
  }
});
process.on('disconnect', () => process.exit(0));

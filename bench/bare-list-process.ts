/** The baseline of `events-list`: Fastify and nothing else, sending given bytes as a ready Buffer. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import Fastify from 'fastify';

const [{ file, path }] = (await once(process, 'message')) as [{ file: string; path: string }];
const body = await readFile(file);
const app = Fastify({ logger: false });
app.get(path, (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(body);
});
process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
process.on('message', (message) => message === 'close' && process.exit(0));
process.on('disconnect', () => process.exit(0));

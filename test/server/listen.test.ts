/** Listening and stopping: a taken port is one clear line; a stop lets running answers end and streams do not hold it up. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Api } from '../../src/server/http/api.ts';
import { listen } from '../../src/server/http/listen.ts';
import { openWorld } from '../support/world.ts';

// contract 41.5
test('a taken port names the variable', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    await expect(listen(Fastify() as unknown as Api, '127.0.0.1', port)).rejects.toThrow(/^PORT: /);
    await expect(listen(Fastify() as unknown as Api, 'no-such-host.invalid', 0)).rejects.toThrow(/^HOST: /);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
});

test('closing lets a running answer end', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' }) as unknown as Api;
  const asked = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    asked.resolve();
    await ends.promise;
    return { done: true };
  });
  const server = await listen(app, '127.0.0.1', 0);
  const answer = fetch(`${server.url}/slow`).then((response) => response.json());
  await asked.promise;
  const closing = server.close();
  ends.resolve();
  await closing;
  expect(await answer).toEqual({ done: true });
  await expect(fetch(`${server.url}/slow`)).rejects.toThrow();
});

test('an open price stream does not hold up the stop', async () => {
  const service = await openWorld();
  const stream = await fetch(`${service.url}/api/v1/stream/prices?contracts=ctr_none`);
  expect(stream.status).toBe(200);
  const started = Date.now();
  await service.close();
  expect(Date.now() - started).toBeLessThan(5000);
  await stream.body?.cancel().catch(() => {});
});

/** The addresses of a delivery are checked where its connection is made, whatever was checked before. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import { createGuardedAgent } from '../../src/webhooks/sender.ts';

test('no byte reaches an address of this machine that is written in the URL, in IPv6 either', async () => {
  let reached = 0;
  const listener = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', ({ length }) => {
      reached += length;
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const agent = createGuardedAgent({ allowLoopback: false });
  for (const host of ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '127.0.0.1']) {
    const sent = agent.request({ origin: `https://${host}:${port}`, path: '/', method: 'POST', body: '{}' });
    await expect(sent, host).rejects.toMatchObject({ code: 'invalid_destination', extra: { rule: 'address' } });
  }
  expect(reached).toBe(0);
  await agent.destroy();
  listener.close();
});

// contract 27.13
test('a connection resolves its name once and goes where the checked answer says', async () => {
  const receiver = createHttpServer((_request, response) => response.end());
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const answers = ['127.0.0.1', '10.0.0.1'];
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const address = answers.shift() ?? '10.0.0.1';
    options.all === true ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4);
  };
  const agent = createGuardedAgent({ allowLoopback: true }, lookup);
  const post = { origin: `http://hook.localhost:${port}`, path: '/', method: 'POST', body: '{}' } as const;
  const { statusCode, body } = await agent.request(post);
  await body.dump();
  expect([statusCode, answers]).toEqual([200, ['10.0.0.1']]);
  await agent.destroy();
  const next = createGuardedAgent({ allowLoopback: true }, lookup);
  await expect(next.request(post)).rejects.toMatchObject({ code: 'invalid_destination', extra: { rule: 'address' } });
  await next.destroy();
  receiver.close();
});

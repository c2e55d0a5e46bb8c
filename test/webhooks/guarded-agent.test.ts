/** The connection of a delivery is checked again where it is made, whatever was checked before. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
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

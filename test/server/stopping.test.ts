/** Stopping an API process: health turns first, answers in flight end, and nobody new is taken. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer } from '../../src/server/app.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
beforeAll(async () => {
  live = await openLive({ job: false });
});
afterAll(() => live.close());

test('health is 503 as soon as the process stops, while requests are still answered', async () => {
  const server = await startServer(live.context);
  const health = () => fetch(`${server.url}/api/health`);
  expect((await health()).status).toBe(200);
  const closed = server.close(1_500);
  const stopping = await health();
  expect(stopping.status).toBe(503);
  expect(stopping.headers.get('connection')).toBe('close');
  expect(await stopping.json()).toMatchObject({ status: 'unhealthy', database: 'up' });
  const document = await fetch(`${server.url}/openapi.json`);
  expect([document.status, document.headers.get('connection')]).toEqual([200, 'close']);
  await document.arrayBuffer();
  await closed;
  await expect(health()).rejects.toThrow();
});

test('an order that waits 5 s for its venue is answered though the process was asked to stop', {
  timeout: 30_000,
  tags: 'proof',
}, async () => {
  const server = await startServer(live.context);
  const tenant = await live.tenant();
  const quote = await tenant.quote('ana');
  const order = fetch(`${server.url}/api/v1/orders`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.key}`,
      'content-type': 'application/json',
      'x-service-user': 'ana',
    },
    body: JSON.stringify({ quoteId: quote.body.quoteId, clientOrderId: 'stopped', reserveReference: 'r' }),
  });
  await until(
    () => live.sql`select from orders where client_order_id = 'stopped'`,
    (orders) => orders.length === 1,
  );
  const stopping = performance.now();
  await server.close();
  expect(performance.now() - stopping).toBeGreaterThan(3_500);
  const answer = await order;
  expect([answer.status, (await answer.json()).status]).toEqual([201, 'pending_venue_execution']);
});

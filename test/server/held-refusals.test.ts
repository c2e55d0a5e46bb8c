/** A caller who asks too often gets the refusal a moment later, except where money waits for it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRefusalHold } from '../../src/server/http/overload/held-refusals.ts';
import { startTestService, type TestService } from '../support/service.ts';

const HELD_MS = 240;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  key = (await service.issueKey(service.operator, { rateLimit: 1 })).apiKey;
});
afterAll(() => service.close());

async function timed(method: 'GET' | 'POST', path: string, body?: object) {
  const began = performance.now();
  const { status } = await service.request(method, path, { key, user: 'ana', ...(body === undefined ? {} : { body }) });
  return { status, ms: performance.now() - began };
}

test('noisy-neighbour: a list over the limit is refused a moment later, a quote at once', async () => {
  if (Date.now() % 60_000 > 55_000) {
    await new Promise((resolve) => setTimeout(resolve, 60_000 - (Date.now() % 60_000)));
  }
  expect((await timed('GET', '/api/v1/whoami')).status).toBe(200);
  const list = await timed('GET', '/api/v1/orders');
  expect(list.status).toBe(429);
  expect(list.ms).toBeGreaterThan(HELD_MS);
  const quote = await timed('POST', '/api/v1/quotes', { marketId: 'ctr_1', side: 'YES', action: 'buy', stake: 5 });
  expect(quote.status).toBe(429);
  expect(quote.ms).toBeLessThan(HELD_MS);
});

test('many at once are held only up to a number, so that they cost no memory', async () => {
  const hold = createRefusalHold(100, 2);
  const began = performance.now();
  const waited = await Promise.all(
    Array.from({ length: 3 }, async () => {
      await hold();
      return performance.now() - began;
    }),
  );
  expect(waited.map((ms) => ms > 90)).toEqual([true, true, false]);
  await hold();
  expect(performance.now() - began).toBeGreaterThan(190);
});

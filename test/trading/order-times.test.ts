/** since and until of the orders list: the same moment on every host, and no guess at what is not a date-time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

let service: World;
const zone = process.env['TZ'];
beforeAll(async () => {
  // a host far from UTC; the zone is read again when it is set
  process.env['TZ'] = 'Pacific/Auckland';
  service = await openWorld();
});
afterAll(async () => {
  if (zone === undefined) {
    delete process.env['TZ'];
  } else {
    process.env['TZ'] = zone;
  }
  await service.close();
});

test('since and until without a zone are UTC, and a bare number is no year', async () => {
  expect(new Date(2026, 0, 1).getTimezoneOffset()).not.toBe(0);
  const market = await service.openMarket('zones');
  const user = 'ana';
  const quoted = await service.request('POST', '/api/v1/quotes', {
    user,
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  const placed = await service.request('POST', '/api/v1/orders', {
    user,
    body: { quoteId: quoted.body.quoteId, clientOrderId: 'z-1' },
  });
  const list = async (query: string) => (await service.request('GET', `/api/v1/orders?${query}`)).body.count;
  const local = String(placed.body.createdAt).replace('Z', '');
  const soon = new Date(Date.parse(placed.body.createdAt) + 60_000).toISOString().replace('Z', '');
  expect(await list(`since=${local}`)).toBe(1);
  expect(await list(`since=${soon}`)).toBe(0);
  expect(await list(`until=${local}`)).toBe(1);
  // no date-time, and so no bound
  expect(await list('until=5')).toBe(1);
  expect(await list('until=2001')).toBe(1);
});

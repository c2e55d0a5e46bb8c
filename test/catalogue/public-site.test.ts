import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { recordPrices } from '../../src/markets/prices/price-history.ts';
import { eventListShape, marketShape, priceHistory, priceViewShape } from '../../src/wire/catalogue.ts';
import { openWorld, type World } from '../support/world.ts';
import { moveBook, seed } from './seed.ts';

const marketListShape = z.strictObject({ data: z.array(marketShape), total: z.number().int() });
const marketDetailShape = z.strictObject({ data: marketShape });
const marketPricesShape = z.strictObject({ data: z.array(priceViewShape), unknown: z.array(z.string()) });

let service: World;

beforeAll(async () => {
  service = await openWorld();
  await seed(service.sql, [
    {
      id: 'a',
      contracts: [
        { id: 'a', volume24h: 5, bids: [[0.4, 10]], asks: [[0.45, 10]] },
        { id: 'a2', volume24h: 90, bids: [[0.5, 10]], asks: [[0.55, 10]] },
      ],
    },
    { id: 'b', contracts: [{ id: 'b', volume24h: 50, bids: [[0.4, 10]], asks: [[0.45, 10]] }] },
    { id: 'past', closesAt: new Date(Date.now() - 1000) },
  ]);
  await service.context.board.refresh();
});
afterAll(() => service.close());

const open = (path: string) => service.request('GET', path, { key: null });

describe('the public website', () => {
  // contract 37.3
  test('lists events without a key', async () => {
    const { status, body } = await open('/api/events?sort=new&limit=1');
    expect(status).toBe(200);
    expect(eventListShape.parse(body).pagination.total).toBe(2);
    expect((await open('/api/events?limit=0')).body.error).toBe('invalid_limit');
  });

  // contract 37.3
  test('lists markets, most traded first, and shows one', async () => {
    const { body } = await open('/api/markets?limit=2');
    const list = marketListShape.parse(body);
    expect([list.total, list.data.map(({ id }) => id)]).toEqual([3, ['ctr_a2', 'ctr_b']]);
    expect(marketDetailShape.parse((await open('/api/markets/ctr_a')).body).data.event.id).toBe('evt_a');
    const unknown = await open('/api/markets/ctr_nope');
    expect([unknown.status, unknown.body.error]).toEqual([404, 'market_not_found']);
    expect((await open('/api/markets?limit=x')).body.error).toBe('invalid_request');
  });

  // contract 37.3
  test('tells prices of several markets', async () => {
    const { body } = await open('/api/markets/quotes?ids=ctr_a,ctr_nope,ctr_a');
    expect(marketPricesShape.parse(body)).toMatchObject({
      data: [{ contractId: 'ctr_a', executableYesCents: 45 }],
      unknown: ['ctr_nope'],
    });
    expect((await open('/api/markets/quotes')).body.error).toBe('invalid_request');
    expect(
      (await open(`/api/markets/quotes?ids=${Array.from({ length: 201 }, (_, index) => `ctr_${index}`)}`)).body.error,
    ).toBe('invalid_request');
  });

  // contract 37.4
  test('the price history of an event needs a key with markets:read', async () => {
    await recordPrices(service.sql, new Date(Date.now() - 3_600_000));
    await moveBook(service.sql, { id: 'a', bids: [[0.6, 10]], asks: [[0.62, 10]] });
    await service.context.board.refresh();
    expect((await open('/api/events/evt_a?range=1d')).body.error).toBe('missing_credentials');
    const poor = await service.issueKey(service.operator, { scopes: ['orders:read'] });
    expect((await service.request('GET', '/api/events/evt_a?range=1d', { key: poor.apiKey })).body.error).toBe(
      'insufficient_scope',
    );
    for (const range of ['1d', '1w', '1m', 'all']) {
      const { body } = await service.request('GET', `/api/events/slug-a?range=${range}`);
      const { data } = priceHistory.parse(body);
      const series = data.series.find(({ contractId }) => contractId === 'ctr_a');
      expect(series?.points.map(([, price]) => price)).toEqual([0.425, 0.61]);
    }
    expect((await service.request('GET', '/api/events/evt_a?range=2d')).body.error).toBe('invalid_request');
    expect((await service.request('GET', '/api/events/evt_nope?range=1d')).body.error).toBe('unknown_event');
  });
});

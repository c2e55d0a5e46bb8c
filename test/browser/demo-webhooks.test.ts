import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signatureHeader } from '../../src/core/webhook-signature.ts';
import { applyDelivery, applyItem, type CashLedger, OPENING } from '../../src/frame/demo/cash-ledger.ts';
import { createSecretBox } from '../../src/webhooks/endpoint-secret.ts';
import { listEndpoints } from '../../src/webhooks/endpoints.ts';
import type { FeedItem } from '../../src/wire/feed.ts';
import { readEvents } from '../support/events.ts';
import type { TestMarket } from '../support/market.ts';
import { openWorld, type World } from '../support/world.ts';
import { buildFrame } from './world.ts';

const USER = 'demo-ana';
let service: World;
let market: TestMarket;

beforeAll(async () => {
  await buildFrame();
  service = await openWorld();
  market = await service.openMarket('alpha');
}, 120_000);
afterAll(() => service.close());

const endpoints = () => listEndpoints(service.sql, { operatorId: service.operator.operatorId });

async function secretOf(endpointId: string): Promise<string> {
  const [endpoint] = await endpoints();
  return createSecretBox(service.context.secrets).open(endpointId, endpoint?.secretSealed ?? '');
}

async function deliver(event: object, secret: string): Promise<number> {
  const body = JSON.stringify(event);
  const signature = signatureHeader(secret, Math.floor(Date.now() / 1000), body);
  const headers = { 'content-type': 'application/json', 'service-signature': signature };
  return (await service.request('POST', '/demo/webhooks', { key: null, headers, body })).status;
}

describe('the demo operator’s receiver', () => {
  test('is registered by its page, once, and takes what is signed for its customers', async () => {
    for (let visit = 0; visit < 2; visit += 1) {
      expect((await service.request('GET', '/demo', { key: null })).status).toBe(200);
    }
    const [endpoint, ...more] = await endpoints();
    expect([endpoint?.url, more]).toEqual([`${service.url}/demo/webhooks`, []]);
    const secret = await secretOf(endpoint?.endpointId ?? '');
    const event = (externalUserId: string) => ({
      id: 'evt',
      type: 'order.filled',
      dedupeKey: 'order.filled:1:1',
      data: { externalUserId },
    });
    expect(await deliver(event(USER), `${secret}x`)).toBe(401);
    expect(await deliver(event(USER), secret)).toBe(204);
    expect(await deliver(event('a customer of somebody'), secret)).toBe(204);
    expect((await service.request('POST', '/demo/webhooks', { key: null, body: event(USER) })).status).toBe(401);
    const read = async (query: string) => (await service.request('GET', `/demo/webhooks?${query}`, { key: null })).body;
    expect(await read(`user=${USER}`)).toMatchObject({ events: [{ number: 1, type: 'order.filled' }], last: 1 });
    expect(await read(`user=${USER}&after=1`)).toMatchObject({ events: [], last: 1 });
    // a page that outlived the process reads all that there is
    expect((await read(`user=${USER}&after=7`)).events).toHaveLength(1);
    expect((await read('user=demo-bo')).events).toEqual([]);
  });

  test('moves with the address that the page is opened at', async () => {
    const [before] = await endpoints();
    await service.sql`update webhook_endpoints set url = 'http://127.0.0.1:9/demo/webhooks'`;
    await service.request('GET', '/demo', { key: null });
    expect(await endpoints()).toMatchObject([{ endpointId: before?.endpointId, url: `${service.url}/demo/webhooks` }]);
  });
});

describe('the demo operator’s ledger', () => {
  // contract 1.4, contract 1.15
  test('books each instruction once, whichever channel reports it first and however often', async () => {
    const call = (method: string, path: string, body?: object) =>
      service.request(method, `/api/v1/${path}`, { user: USER, ...(body && { body }) });
    const trade = async (clientOrderId: string, size: object) => {
      const quote = await call('POST', 'quotes', { marketId: market.contractId, side: 'YES', ...size });
      const order = await call('POST', 'orders', { quoteId: quote.body.quoteId, clientOrderId });
      expect(order.status).toBe(201);
    };
    await call('POST', 'sandbox/scenarios', { kind: 'partial_fill', fillFraction: 0.5 });
    await trade('part', { action: 'buy', stake: 40 });
    await trade('whole', { action: 'buy', stake: 60 });
    await trade('sold', { action: 'sell', contracts: 20 });
    await trade('sold again', { action: 'sell', contracts: 10 });
    const [position] = (await call('GET', `positions?externalUserId=${USER}&status=open`)).body.positions;
    await call('POST', 'sandbox/resolutions', { positionId: position.positionId, resolution: 'WIN' });

    const items: FeedItem[] = (await call('GET', `reconciliation/feed?externalUserId=${USER}&limit=500`)).body.items;
    expect(items.map(({ type }) => type)).toContain('position.settled');
    const told = (await readEvents(service.sql)).filter(({ data }) => data.externalUserId === USER);
    expect(new Set(told.map(({ type }) => type))).toEqual(
      new Set(['order.filled', 'order.completed', 'position.settled']),
    );

    const byFeed = (ledger: CashLedger) => items.reduce(applyItem, ledger);
    const byWebhooks = (ledger: CashLedger) => told.reduce(applyDelivery, ledger);
    const backwards = (ledger: CashLedger) => told.toReversed().reduce(applyDelivery, ledger);
    const { body: wallet } = await call('GET', `users/${USER}/balance`);
    const inCents = (text: string) => BigInt(text.replace('.', ''));
    const expected = [OPENING.cash + inCents(wallet.total) - 1_000_000n, inCents(wallet.held)];
    for (const way of [
      [byFeed],
      [byWebhooks],
      [backwards],
      [byFeed, byWebhooks],
      [byWebhooks, byFeed, byWebhooks, byFeed],
      [backwards, byFeed],
    ]) {
      const ledger = way.reduce((now, step) => step(now), OPENING);
      expect([ledger.cash, ledger.held]).toEqual(expected);
    }
  });
});

/** What trading and settlement tell of has the shape that the contract promises, and reaches a receiver. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { raiseResolutionChanges, settleMarket } from '../../src/settlement/settle-market.ts';
import { addEndpoint, createEndpointAdmin } from '../../src/webhooks/endpoints.ts';
import { isWebhookEventType, WEBHOOK_PAYLOADS } from '../../src/wire/webhook.ts';
import { readItems } from '../support/items.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { answers, openSink, type Sink } from './sinks.ts';

let service: World;
let market: TestMarket;
let sink: Sink;
let jobs: { close(): Promise<void> };

beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('alpha');
  sink = await openSink(answers.ok);
  jobs = await startWebhookJobs(service.context);
  const admin = await createEndpointAdmin(service.context);
  await addEndpoint(admin, service.operator.operatorId, sink.url, []);
});
afterAll(async () => {
  await jobs.close();
  await sink.close();
  await service.close();
});

async function trade(quote: object, order: object) {
  const quoted = await service.request('POST', '/api/v1/quotes', {
    user: 'ana',
    body: { marketId: market.contractId, side: 'YES', ...quote },
  });
  expect(quoted.body).toHaveProperty('quoteId');
  return service.request('POST', '/api/v1/orders', { user: 'ana', body: { quoteId: quoted.body.quoteId, ...order } });
}

// contract 21.12, contract 26.1, contract 26.4
test('sandbox orders raise events of the specified shape, each delivered, each on the feed', async () => {
  expect((await trade({ action: 'buy', stake: 10 }, { clientOrderId: 'buy' })).body.status).toBe('filled');
  expect((await trade({ action: 'sell', contracts: 5 }, { clientOrderId: 'sell' })).body.status).toBe('filled');
  const intent = await trade(
    { action: 'buy', stake: 10 },
    { clientOrderId: 'intent', executionIntent: 'record_intent' },
  );
  expect(intent.body.status).toBe('reserve_pending');
  const cancelled = await service.request('POST', `/api/v1/orders/${intent.body.orderId}/cancel`, {});
  const types = [
    'order.filled',
    'order.filled',
    'order.intent_recorded',
    ...(cancelled.status === 200 ? ['order.cancelled'] : []),
  ];

  const bodies = await until(() => {
    expect(sink.received.length).toBeGreaterThanOrEqual(types.length);
    return sink.received.map(({ body }) => JSON.parse(body));
  });
  expect(bodies.map(({ type }) => type).sort()).toEqual(types.sort());
  for (const { id, type, dedupeKey, createdAt, data } of bodies) {
    expect(id).toMatch(/^evn_/);
    expect(Number.isNaN(Date.parse(createdAt))).toBe(false);
    expect(dedupeKey.startsWith(`${type}:`)).toBe(true);
    if (!isWebhookEventType(type)) {
      throw new Error(`${type} is none of the seven`);
    }
    expect(WEBHOOK_PAYLOADS[type].safeParse(data).error?.issues ?? []).toEqual([]);
    expect(JSON.stringify(data)).not.toContain('paper');
  }
  const emitted = (await readItems(service.sql)).filter(({ type }) => type === 'webhook.emitted');
  expect(emitted.map(({ detail }) => detail.dedupeKey).sort()).toEqual(bodies.map(({ dedupeKey }) => dedupeKey).sort());
});

// contract 26.13
test('a price that moved away raises order.rejected', async () => {
  const quoted = await service.request('POST', '/api/v1/quotes', {
    user: 'ana',
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  await setBook(service.sql, market, { asks: [['0.80', '1000']], bids: [['0.70', '1000']] });
  const order = { quoteId: quoted.body.quoteId, clientOrderId: 'moved' };
  expect((await service.request('POST', '/api/v1/orders', { user: 'ana', body: order })).body.error).toBe(
    'price_moved',
  );
  const rejected = await until(() => {
    const found = sink.received.map(({ body }) => JSON.parse(body)).find(({ type }) => type === 'order.rejected');
    expect(found).toBeDefined();
    return found;
  });
  expect(WEBHOOK_PAYLOADS['order.rejected'].safeParse(rejected.data).error?.issues ?? []).toEqual([]);
});

// contract 26.15, contract 26.16
test('a settlement and a changed resolution raise events', async () => {
  await service.sql`select * from decide_market(${market.contractId}, 'resolve', 'YES', ${null}::bigint)`;
  await settleMarket(service.sql, market.contractId);
  await service.sql`select * from decide_market(${market.contractId}, 'reopen', ${null}, ${null}::bigint)`;
  await raiseResolutionChanges(service.sql, market.contractId);
  for (const type of ['position.settled', 'market.resolution_changed'] as const) {
    const told = await until(() => {
      const found = sink.received.map(({ body }) => JSON.parse(body)).find((event) => event.type === type);
      expect(found).toBeDefined();
      return found;
    });
    expect(WEBHOOK_PAYLOADS[type].safeParse(told.data).error?.issues ?? []).toEqual([]);
  }
});

test('the metrics tell what was delivered', async () => {
  await until(async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(Number(/^inlay_webhooks_attempts_total\{outcome="delivered"\} (\d+)/m.exec(text)?.[1])).toBeGreaterThan(0);
    expect(text).toMatch(/^inlay_webhooks_attempts_total\{outcome="failed"\} \d+$/m);
    expect(text).toMatch(/^inlay_webhooks_queued 0$/m);
  });
});

test('a request that raised an event announces itself to the relay', async () => {
  let told = 0;
  const listening = await service.sql.listen('journal', () => {
    told += 1;
  });
  const open = await service.openMarket('announced');
  const quoted = await service.request('POST', '/api/v1/quotes', {
    user: 'ana',
    body: { marketId: open.contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  const order = { quoteId: quoted.body.quoteId, clientOrderId: 'announced' };
  expect((await service.request('POST', '/api/v1/orders', { user: 'ana', body: order })).status).toBe(201);
  await until(() => expect(told).toBeGreaterThan(0));
  await listening.unlisten();
});

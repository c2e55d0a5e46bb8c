/** `GET /orders/{id}/history`: the whole story of an order in each state, for the operator whose order it is, and without the name of a venue. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { VENUE_NAMES } from '../../src/core/environment.ts';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { addEndpoint, createEndpointAdmin } from '../../src/webhooks/endpoints.ts';
import { STATES, type StateName } from '../proofs/order-states.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';
import { answers, openSink, type Sink } from '../webhooks/sinks.ts';

const VENUES = new RegExp(`\\b(${VENUE_NAMES.join('|')})\\b`, 'i');

let live: Live;
let sink: Sink;
beforeAll(async () => {
  live = await openLive();
  sink = live.add(await openSink(answers.ok));
  live.add(await startWebhookJobs(live.openWorker()));
});
afterAll(() => live.close());
beforeEach(() => {
  live.venue.script = (order) => live.venue.fillWhole(order);
});

const ask = (tenant: Tenant, reference: string, query = '') =>
  live.request('GET', `/api/v1/orders/${encodeURIComponent(reference)}/history${query}`, { key: tenant.key });
const cents = (amount: string) => Math.round(Number(amount) * 100);

async function historyOf(tenant: Tenant, reference: string): Promise<AnyJson> {
  const { status, body, text } = await ask(tenant, reference);
  expect(status, text).toBe(200);
  expect(text).not.toMatch(VENUES);
  expect(Object.keys(body)).toEqual(['order', 'sentence', 'timeline', 'instructions', 'webhooks']);
  return body;
}

// contract 11.17, contract 11.18
test.each(Object.keys(STATES) as StateName[])(
  '%s: the story names no venue, and its money is that of the order',
  async (state) => {
    const tenant = await live.tenant();
    const orderId = await STATES[state](tenant, live);
    await live.sql`
    insert into venue_evidence (operator_id, order_id, kind, severity, raw)
    values (${tenant.operator.operatorId}, ${orderId}, 'person', 'info', '{"evidence": "Kalshi and paper-2 say so"}')`;
    const { order, sentence, timeline, instructions } = await historyOf(tenant, orderId);
    expect(order).toEqual(await tenant.read(orderId));
    expect(sentence).toMatch(/^ana('s order of .* is not final|'s order of .* was (rejected|withdrawn)| bought )/);
    const times = timeline.map(({ at }: AnyJson) => at);
    expect(times.toSorted()).toEqual(times);
    const { body: feed } = await live.request('GET', '/api/v1/reconciliation/feed?limit=500', { key: tenant.key });
    const told = (items: AnyJson[]) => items.filter(({ money }) => money).map(({ type, money }) => ({ type, money }));
    const listed = told(timeline);
    const ofOrder = told(
      feed.items.filter((item: AnyJson) => item.orderId === orderId || item.detail.referenceId === orderId),
    );
    expect(listed).toHaveLength(ofOrder.length);
    expect(listed).toEqual(expect.arrayContaining(ofOrder));
    const booked = Object.fromEntries(instructions.map(({ type, amount }: AnyJson) => [type, cents(amount)]));
    expect(instructions.every(({ key }: AnyJson) => key === orderId)).toBe(true);
    expect(booked['hold']).toBe(1_000);
    if (order.settlementState === 'settled') {
      expect([booked['debit'] ?? 0, booked['release'] ?? 0]).toEqual([
        cents(order.operatorMoney.actualDebit),
        cents(order.operatorMoney.releaseAmount),
      ]);
    } else {
      expect(booked['release']).toBeUndefined();
    }
  },
);

// contract 11.17
test('a settled order has the credit under the id of its settlement, and the deliveries of its webhooks', async () => {
  const tenant = await live.tenant({ mode: 'sandbox' });
  const admin = await createEndpointAdmin(live.context);
  const { endpointId } = await addEndpoint(admin, tenant.operator.operatorId, sink.url, []);
  const market = await live.openMarket(`settled${Date.now()}`);
  const { orderId, executionRef } = await tenant.buy(market, 'ana');
  const sold = await tenant.sell(market, 'ana', 5);
  const { positionId } = await tenant.positionOf('ana', market);
  const resolution = { positionId, resolution: 'WIN' };
  await live.request('POST', '/api/v1/sandbox/resolutions', { key: tenant.key, body: resolution });
  const settlement = await until(
    async () => (await live.request('GET', '/api/v1/settlements', { key: tenant.key })).body.settlements[0],
    (found) => found !== undefined,
  );
  const { sentence, instructions, webhooks, timeline } = await until(
    () => historyOf(tenant, executionRef),
    (history) =>
      history.webhooks.length === 2 && history.webhooks.every(({ status }: AnyJson) => status === 'delivered'),
  );
  expect(sentence).toMatch(/^ana bought [\d.]+ YES of ".*" for 10\.00 on .*; position won on .*; [\d.]+ was credited/);
  expect(instructions).toEqual([
    { at: expect.any(String), type: 'hold', amount: '10.00', key: orderId },
    { at: expect.any(String), type: 'debit', amount: '10.00', key: orderId },
    {
      at: settlement.settledAt,
      type: 'credit',
      amount: settlement.operatorMoney.settlementCredit,
      key: settlement.id,
    },
  ]);
  expect(webhooks).toEqual(
    [
      ['order.filled', orderId],
      ['position.settled', null],
    ].map(([type, about]) => ({
      deliveryId: expect.stringMatching(/^dlv_/),
      endpointId,
      eventId: expect.stringMatching(/^evn_/),
      type,
      orderId: about,
      status: 'delivered',
      createdAt: expect.any(String),
      attempts: [{ at: expect.any(String), status: 200, ms: expect.any(Number), error: null }],
    })),
  );
  expect(timeline.at(-1).type).toBe('webhook.attempted');
  const exit = await historyOf(tenant, sold.orderId);
  expect(exit.instructions[0]).toMatchObject({
    type: 'credit',
    amount: sold.operatorExitMoney.sellProceeds,
    key: sold.orderId,
  });
});

// contract 11.17
test('is found by the id, by the reference in any case, and with the customer by the own id; and by nobody else', async () => {
  const tenant = await live.tenant({ mode: 'sandbox' });
  const other = await live.tenant({ mode: 'sandbox' });
  const clientOrderId = 'bet 17/a?';
  const { body: order } = await tenant.place('ana', { clientOrderId });
  for (const [reference, query] of [
    [order.orderId, ''],
    [order.executionRef, ''],
    [order.executionRef.toLowerCase(), ''],
    [order.executionRef.toUpperCase(), '?externalUserId=ana'],
    [clientOrderId, '?externalUserId=ana'],
  ] as const) {
    const { status, body } = await ask(tenant, reference, query);
    expect([reference, status, body.order?.orderId]).toEqual([reference, 200, order.orderId]);
  }
  for (const [by, reference, query] of [
    [other, order.orderId, ''],
    [other, order.executionRef, ''],
    [other, clientOrderId, '?externalUserId=ana'],
    [tenant, clientOrderId, ''],
    [tenant, clientOrderId, '?externalUserId=ben'],
    [tenant, order.orderId, '?externalUserId=ben'],
    [tenant, 'ord_none', ''],
  ] as const) {
    const { status, body } = await ask(by, reference, query);
    expect([reference, status, body.error]).toEqual([reference, 404, 'unknown_order']);
  }
  const { apiKey } = await live.issueKey(tenant.operator, { scopes: ['orders:write', 'settlements:read'] });
  const refused = await live.request('GET', `/api/v1/orders/${order.orderId}/history`, { key: apiKey });
  expect([refused.status, refused.body.required]).toEqual([403, ['orders:read']]);
});

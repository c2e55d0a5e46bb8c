/** Webhooks for a key: the events without an endpoint, the endpoints, and the deliveries, which it may send again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEndpoint, disableEndpoint, removeEndpoint } from '../../src/webhooks/endpoints.ts';
import { WEBHOOK_EVENT_TYPES } from '../../src/wire/webhook.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWebhookWorld, type WebhookWorld } from './world.ts';

let world: WebhookWorld;
let other: Tenant;
let sink: Sink;
let failing: Sink;
beforeAll(async () => {
  world = await openWebhookWorld();
  other = await world.tenant({ mode: 'sandbox' });
  sink = world.add(await openSink(answers.ok));
  failing = world.add(await openSink(answers.status(503)));
});
afterAll(() => world.close());

const get = (path: string, key = world.key) => world.request('GET', `/api/v1/${path}`, { key });
const resend = (id: string, key = world.key) =>
  world.request('POST', `/api/v1/webhook-deliveries/${id}/resend`, { key });
const ids = (events: AnyJson[]): string[] => events.map(({ id }) => id);

describe('events', () => {
  // contract 27.15
  test('are those that endpoints get, byte for byte, oldest first and in pages', async () => {
    const { endpointId } = await addEndpoint(world.admin, world.operatorId, sink.url, []);
    const jobs = await world.startJobs();
    const market = await world.openMarket('events');
    await world.buy(market, 'ana');
    const raised = [await world.raise(), await world.raise('order.rejected'), await world.raise('position.settled')];
    await until(() => expect(sink.received).toHaveLength(4));
    await jobs.close();
    await removeEndpoint(world.admin, endpointId);
    const late = await world.raise();

    const { text, body } = await get('webhook-events');
    expect([body.hasMore, ids(body.events).slice(1)]).toEqual([false, [...raised, late]]);
    // what was delivered, but for the time of the attempt
    const withoutTime = (envelope: string) => envelope.replace(/"createdAt":"[^"]*"/, '"createdAt":""');
    const listed = JSON.stringify(body.events.map((event: AnyJson) => event));
    expect(text).toBe(`{"events":${listed},"nextCursor":"${body.nextCursor}","hasMore":false}`);
    const delivered = sink.received.map((request) => withoutTime(request.body)).sort();
    expect(
      body.events
        .slice(0, 4)
        .map((event: AnyJson) => withoutTime(JSON.stringify(event)))
        .sort(),
    ).toEqual(delivered);
    // the same cursor gives the same bytes
    const first = await get('webhook-events?limit=2');
    const second = await get(`webhook-events?limit=2&cursor=${first.body.nextCursor}`);
    expect([...ids(first.body.events), ...ids(second.body.events)]).toEqual(ids(body.events).slice(0, 4));
    expect((await get(`webhook-events?limit=2&cursor=${first.body.nextCursor}`)).text).toBe(second.text);
    expect([first.body.hasMore, second.body.hasMore]).toEqual([true, true]);
    const end = await get(`webhook-events?cursor=${body.nextCursor}`);
    expect(end.body).toEqual({ events: [], nextCursor: body.nextCursor, hasMore: false });
  });

  // contract 27.15
  test('are filtered by type and order, and begin before the end', async () => {
    const all = (await get('webhook-events')).body.events;
    for (const type of WEBHOOK_EVENT_TYPES) {
      const { body } = await get(`webhook-events?type=${type}`);
      expect([type, ids(body.events)]).toEqual([type, ids(all.filter((event: AnyJson) => event.type === type))]);
    }
    const both = (await get('webhook-events?type=order.rejected&type=position.settled')).body.events;
    expect(both.map(({ type }: AnyJson) => type)).toEqual(['order.rejected', 'position.settled']);
    const { orderId } = all[0].data;
    expect(ids((await get(`webhook-events?orderId=${orderId}`)).body.events)).toEqual([all[0].id]);
    expect((await get('webhook-events?orderId=ord_none')).body.events).toEqual([]);
    expect(ids((await get('webhook-events?last=2')).body.events)).toEqual(ids(all).slice(-2));
    const none = (await get('webhook-events?last=0')).body;
    expect([none.events, none.hasMore]).toEqual([[], false]);
    const next = await world.raise();
    expect(ids((await get(`webhook-events?cursor=${none.nextCursor}`)).body.events)).toEqual([next]);
    const unknown = await get('webhook-events?type=order.lost');
    expect([unknown.status, unknown.body.error, unknown.body.supported]).toEqual([
      400,
      'invalid_type',
      [...WEBHOOK_EVENT_TYPES],
    ]);
  });

  // contract 27.15
  test('of rare types are found in pages that may be empty', async () => {
    const busy = await world.createOperator({ slug: 'busy' });
    const { apiKey } = await world.issueKey(busy);
    // one row in 2,500 tells of a completed order, and the others of rejected ones
    await world.damage(`
      insert into journal (operator_id, sequence, items, kind, status, digits, recorded_at, decided_at, order_id, action)
      select '${busy.operatorId}', n, 1, 'order_ended', case n % 2500 when 0 then 'filled' else 'rejected' end::order_status,
        lpad(n::text, 32, '0')::uuid, now(), now(), 'ord_' || n, 'buy' from generate_series(1, 5000) n;
      update operator_ledgers set sequence = 5000, recorded_at = now() where operator_id = '${busy.operatorId}'`);
    const pages: string[][] = [];
    let cursor = '';
    for (let hasMore = true; hasMore; ) {
      const { body } = await get(`webhook-events?type=order.completed&limit=5${cursor}`, apiKey);
      pages.push(body.events.map(({ data }: AnyJson) => data.orderId));
      cursor = `&cursor=${body.nextCursor}`;
      hasMore = body.hasMore;
    }
    expect(pages).toEqual([[], ['ord_2500'], ['ord_5000']]);
  });

  // contract 27.15
  test('are kept for 30 days: an older cursor goes on with the oldest that is kept', async () => {
    const old = await world.createOperator({ slug: 'old' });
    const { apiKey } = await world.issueKey(old);
    await world.damage(`
      insert into journal (operator_id, sequence, items, kind, status, digits, recorded_at, decided_at, order_id, action)
      select '${old.operatorId}', n, 1, 'order_ended', 'rejected', lpad(n::text, 32, '0')::uuid, now() - days, now() - days,
        'ord_' || n, 'buy'
      from unnest(array['40 days', '31 days', '29 days', '1 day']::interval[]) with ordinality t(days, n);
      update operator_ledgers set sequence = 4, recorded_at = now() - interval '1 day' where operator_id = '${old.operatorId}'`);
    const { body } = await get('webhook-events', apiKey);
    expect(body.events.map(({ data }: AnyJson) => data.orderId)).toEqual(['ord_3', 'ord_4']);
    expect((await get('webhook-events?orderId=ord_1', apiKey)).body.events).toEqual([]);
    expect((await get('webhook-events?orderId=ord_3', apiKey)).body.events).toHaveLength(1);
    const one = (await get('webhook-events?limit=1', apiKey)).body;
    expect([one.events.length, one.hasMore]).toEqual([1, true]);
  });

  // contract 27.15, contract 21.16
  test('are waited for, also those that no endpoint takes, and end no wait of another operator', async () => {
    const { nextCursor } = (await get('webhook-events?last=0')).body;
    const empty = (await get('webhook-events', other.key)).body;
    const [waiting, foreign] = [
      get(`webhook-events?cursor=${nextCursor}&wait=20`),
      get(`webhook-events?cursor=${empty.nextCursor}&wait=1`, other.key),
    ];
    await timePasses(300);
    const since = performance.now();
    const raised = await world.raise();
    expect(ids((await waiting).body.events)).toEqual([raised]);
    expect(performance.now() - since).toBeLessThan(900);
    expect((await foreign).body.events).toEqual([]);
  });

  test('have cursors of their own', async () => {
    const { nextCursor } = (await get('webhook-events')).body;
    for (const [path, key] of [
      [`reconciliation/feed?cursor=${nextCursor}`, world.key],
      [`webhook-events?cursor=${nextCursor}`, other.key],
      ['webhook-events?cursor=nonsense', world.key],
    ] as const) {
      const { status, body } = await get(path, key);
      expect([path, status, body.error]).toEqual([path, 400, 'invalid_cursor']);
    }
  });
});

describe('endpoints and deliveries', () => {
  // contract 27.16
  test('endpoints are listed as they are, without their secrets', async () => {
    const all = await addEndpoint(world.admin, world.operatorId, sink.url, []);
    const some = await addEndpoint(world.admin, world.operatorId, failing.url, ['order.filled']);
    await disableEndpoint(world.admin, some.endpointId);
    const { text, body } = await get('webhook-endpoints');
    expect(body).toEqual({
      endpoints: [
        {
          endpointId: all.endpointId,
          url: sink.url,
          events: [...WEBHOOK_EVENT_TYPES],
          enabled: true,
          disabledReason: null,
        },
        {
          endpointId: some.endpointId,
          url: failing.url,
          events: ['order.filled'],
          enabled: false,
          disabledReason: 'operator',
        },
      ].map((endpoint) => ({ ...endpoint, createdAt: expect.stringMatching(/^20\d\d-.*Z$/) })),
    });
    expect(text).not.toMatch(/whsec|secret|sealed/);
    expect((await get('webhook-endpoints', other.key)).body).toEqual({ endpoints: [] });
    await removeEndpoint(world.admin, some.endpointId);
    await removeEndpoint(world.admin, all.endpointId);
    expect((await get('webhook-endpoints')).body.endpoints).toEqual([]);
  });

  // contract 27.17
  test('deliveries are listed newest first, by endpoint, event, order and status, in pages', async () => {
    const good = await addEndpoint(world.admin, world.operatorId, sink.url, []);
    const bad = await addEndpoint(world.admin, world.operatorId, failing.url, ['order.filled']);
    const jobs = await world.startJobs();
    const market = await world.openMarket('deliveries');
    const { orderId } = await world.buy(market, 'ana');
    const eventId = await world.raise('position.settled');
    const own = ({ endpointId }: AnyJson) => [good.endpointId, bad.endpointId].includes(endpointId);
    const listed = await until(
      async () => (await get('webhook-deliveries?status=delivered&status=pending')).body.deliveries.filter(own),
      (found) => found.length === 3 && found.every(({ attempts }: AnyJson) => attempts.length > 0),
    );
    await jobs.close();
    expect(
      listed.map(({ type, endpointId, orderId: about, status }: AnyJson) => [type, endpointId, about, status]),
    ).toEqual([
      ['position.settled', good.endpointId, eventId.replace('evn', 'ord'), 'delivered'],
      ['order.filled', bad.endpointId, orderId, 'pending'],
      ['order.filled', good.endpointId, orderId, 'delivered'],
    ]);
    expect(Object.keys(listed[0])).toEqual([
      ...['deliveryId', 'endpointId', 'eventId', 'type', 'orderId', 'status', 'createdAt', 'attempts'],
    ]);
    expect(listed[0].attempts).toEqual([{ at: expect.any(String), status: 200, ms: expect.any(Number), error: null }]);
    expect(listed[1].attempts[0]).toEqual({
      at: expect.any(String),
      status: 503,
      ms: expect.any(Number),
      error: 'http_503',
    });
    const of = async (query: string, key = world.key) =>
      (await get(`webhook-deliveries?${query}`, key)).body.deliveries.map(({ deliveryId }: AnyJson) => deliveryId);
    const [settled, pending, delivered] = listed.map(({ deliveryId }: AnyJson) => deliveryId);
    expect(await of(`endpointId=${good.endpointId}`)).toEqual([settled, delivered]);
    expect(await of(`eventId=${eventId}`)).toEqual([settled]);
    expect(await of(`orderId=${orderId}`)).toEqual([pending, delivered]);
    expect(await of(`orderId=${orderId}&endpointId=${bad.endpointId}`)).toEqual([pending]);
    expect(await of(`orderId=${orderId}&eventId=${eventId}`)).toEqual([]);
    expect(await of('status=pending')).toEqual([pending]);
    expect(await of(`status=exhausted&endpointId=${good.endpointId}`)).toEqual([]);
    expect(await of('status=nonsense')).toEqual([]);
    expect(await of('', other.key)).toEqual([]);
    expect(await of(`orderId=${orderId}`, other.key)).toEqual([]);
    expect(await of(`eventId=${eventId}`, other.key)).toEqual([]);
    const first = (await get('webhook-deliveries?limit=2')).body;
    expect([first.deliveries.length, first.hasMore]).toEqual([2, true]);
    const rest = (await get(`webhook-deliveries?limit=2&cursor=${first.nextCursor}`)).body;
    expect(rest.deliveries[0].deliveryId).toBe(delivered);
    const whole = (await get('webhook-deliveries')).body;
    expect([whole.nextCursor, whole.hasMore]).toEqual([null, false]);
    const malformed = await get(`webhook-deliveries?cursor=${(await get('orders?limit=1')).body.nextCursor ?? 'x'}`);
    expect([malformed.status, malformed.body.error]).toEqual([400, 'invalid_cursor']);
  });

  // contract 27.18
  test('a delivery is sent again whatever became of it, but not of another operator or to a disabled endpoint', async () => {
    const [pending] = (await get('webhook-deliveries?status=pending')).body.deliveries;
    const [delivered] = (await get('webhook-deliveries?status=delivered')).body.deliveries;
    for (const [id, key] of [
      [pending.deliveryId, other.key],
      ['dlv_none', world.key],
      ['whatever', world.key],
    ]) {
      const { status, body } = await resend(id, key);
      expect([id, status, body.error]).toEqual([id, 404, 'unknown_delivery']);
    }
    const received = sink.received.length;
    const again = await resend(delivered.deliveryId);
    expect([again.status, again.body]).toEqual([202, { ...delivered, status: 'pending' }]);
    expect((await resend(pending.deliveryId)).body).toEqual(pending);
    const [row] = await world.sql<{ attempts: number; windowAttempts: number; isDue: boolean }[]>`
      select attempts, window_attempts, next_attempt_at <= clock_timestamp() as is_due from webhook_deliveries
      where delivery_id = ${pending.deliveryId}`;
    expect(row).toEqual({ attempts: pending.attempts.length, windowAttempts: 0, isDue: true });
    const jobs = await world.startJobs();
    const now = await until(
      async () => (await get(`webhook-deliveries?eventId=${delivered.eventId}`)).body.deliveries[0],
      ({ status }) => status === 'delivered',
    );
    expect([now.attempts.length, sink.received.length]).toEqual([2, received + 1]);
    const last = JSON.parse(sink.received.at(-1)?.body ?? '');
    expect(last.id).toBe(delivered.eventId);
    await until(
      async () => (await get(`webhook-deliveries?eventId=${pending.eventId}&status=pending`)).body.deliveries[0],
      ({ attempts }) => attempts.length > pending.attempts.length,
    );
    await jobs.close();
    await disableEndpoint(world.admin, pending.endpointId);
    const refused = await resend(pending.deliveryId);
    expect([refused.status, refused.body.error]).toEqual([409, 'endpoint_disabled']);
  });

  // contract 34.5
  test('need both scopes to read and orders:write to send', async () => {
    const { apiKey } = await world.issueKey(world.operator, { scopes: ['orders:read', 'orders:write'] });
    for (const path of ['webhook-events', 'webhook-endpoints', 'webhook-deliveries']) {
      const { status, body } = await get(path, apiKey);
      expect([path, status, body.missing]).toEqual([path, 403, ['settlements:read']]);
    }
    const { apiKey: reader } = await world.issueKey(world.operator, { scopes: ['orders:read', 'settlements:read'] });
    const { status, body } = await resend('dlv_none', reader);
    expect([status, body.required]).toEqual([403, ['orders:write']]);
  });
});

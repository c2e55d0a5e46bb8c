/** Cursors, dates, limits and statuses of lists, to the letter. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeCursor } from '../../src/core/cursor.ts';
import { readDescription } from '../support/openapi.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive();
  tenant = await live.tenant({ mode: 'sandbox' });
  const buy = { marketId: live.market.contractId, side: 'YES', action: 'buy', stake: 10 };
  for (const clientOrderId of ['a', 'b', 'c']) {
    const quoted = await post('quotes', buy);
    await post('orders', {
      quoteId: quoted.quoteId,
      clientOrderId,
      executionIntent: clientOrderId === 'a' ? 'simulate' : 'record_intent',
    });
  }
  const waiting = await get('orders?externalUserId=ana&clientOrderId=c');
  await post(`orders/${waiting.body.orders[0].orderId}/cancel`);
});
afterAll(() => live.close());

const get = (path: string) => live.request('GET', `/api/v1/${path}`, { key: tenant.key });
const post = async (path: string, body?: unknown) =>
  (await live.request('POST', `/api/v1/${path}`, { key: tenant.key, user: 'ana', body })).body;

// contract 4.13
test('a malformed cursor of orders or positions is 400 invalid_cursor', async () => {
  const operatorId = tenant.operator.operatorId;
  for (const list of ['orders', 'positions']) {
    const purpose = `${list}:${operatorId}`;
    const page = (await get(`${list}?limit=1`)).body;
    const malformed = [
      encodeCursor(purpose, [null]),
      encodeCursor(purpose, ['']),
      encodeCursor(purpose, ['zzzz']),
      encodeCursor(purpose, [7]),
      encodeCursor(purpose, [list === 'orders' ? 'pos_0197f1c2a0b37d3e8a6b1c5d9e2f4a60' : 'ord_0197f1c2']),
      encodeCursor(purpose, ['ord_ x']),
      encodeCursor(`${list}:op_other`, ['ord_0197f1c2a0b37d3e8a6b1c5d9e2f4a60']),
      'nonsense',
      '',
      ...(page.nextCursor === null
        ? []
        : [`${page.nextCursor}A`, page.nextCursor.slice(0, -1), `${page.nextCursor}==`]),
    ];
    for (const cursor of malformed) {
      const answer = await get(`${list}?cursor=${encodeURIComponent(cursor)}`);
      expect([answer.status, answer.body.error], `${list} ${cursor}`).toEqual([400, 'invalid_cursor']);
    }
  }
  const first = (await get('orders?limit=2')).body;
  const second = (await get(`orders?limit=2&cursor=${first.nextCursor}`)).body;
  expect([first.count, second.count, second.nextCursor]).toEqual([2, 1, null]);
});

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: { readonly format?: string; readonly enum?: readonly string[] };
}

/** Texts of each format that is a time, of years that are not taken and of those that are. */
const EDGES: Readonly<Record<string, { readonly refused: readonly string[]; readonly taken: readonly string[] }>> = {
  'date-time': {
    refused: ['0000-01-01T00:00:00Z', '0001-01-01', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59.999-23:59'],
    taken: ['1970-01-01', '9999-12-31T23:59:59.999999999Z'],
  },
  'unix-time': { refused: ['-1', '1760000000000', '9'.repeat(40)], taken: ['0', '253402300799'] },
};

// contract 4.2
test('on every route a time of a year before 1970 or after 9999 is 400 invalid_date', async () => {
  const { token } = await post('embed-sessions', { externalUserId: 'ana' });
  const { paths } = (await readDescription(live)) as {
    paths: Record<string, { get?: { security?: Record<string, unknown>[]; parameters?: Parameter[] } }>;
  };
  const event = (await get('events?limit=1')).body.data[0].id as string;
  const walked: string[] = [];
  for (const [path, { get: operation }] of Object.entries(paths)) {
    const parameters = operation?.parameters?.filter(({ in: place }) => place === 'query') ?? [];
    const isEmbed = operation?.security?.some((one) => 'embedToken' in one) === true;
    const ask = (query: Record<string, string>) =>
      live.request('GET', `${path.replace('{id}', event)}?${new URLSearchParams(query)}`, {
        key: isEmbed ? null : tenant.key,
        headers: isEmbed ? { authorization: `Embed ${token}` } : {},
      });
    for (const { name, schema } of parameters) {
      const edges = EDGES[schema.format ?? ''];
      if (edges === undefined) {
        continue;
      }
      walked.push(`${path} ${name}`);
      const required = parameters.filter((one) => one.required === true);
      const others = Object.fromEntries(required.map((one) => [one.name, one.schema.enum?.[0] ?? '1']));
      for (const text of edges.refused) {
        const { status, body } = await ask({ ...others, [name]: text });
        expect([status, body.error, body.detail?.[0].path], `${path} ${name}=${text}`).toEqual([
          400,
          'invalid_date',
          name,
        ]);
      }
      for (const text of edges.taken) {
        expect((await ask({ ...others, [name]: text })).status, `${path} ${name}=${text}`).toBe(200);
      }
    }
  }
  expect(walked.toSorted()).toEqual([
    '/api/embed/events closesAfter',
    '/api/embed/events closesBefore',
    '/api/embed/events/{id}/course since',
    '/api/v1/events closesAfter',
    '/api/v1/events closesBefore',
    '/api/v1/orders since',
    '/api/v1/orders until',
    '/api/v1/reconciliation from',
    '/api/v1/reconciliation/export from',
    '/api/v1/reconciliation/export to',
    '/api/v1/settlements settledFrom',
    '/api/v1/settlements settledTo',
    '/api/v1/settlements/positions since',
  ]);
  expect((await get(`orders?until=${encodeURIComponent('9999-12-31T23:59:59.999999999Z')}`)).body.count).toBe(3);
});

// contract 4.2
test('a date alone is its midnight UTC wherever a time is taken; what is no date names the parameter', async () => {
  for (const [path, name] of [
    ['events', 'closesAfter'],
    ['events', 'closesBefore'],
    ['settlements', 'settledFrom'],
    ['settlements', 'settledTo'],
    ['reconciliation', 'from'],
  ] as const) {
    for (const text of ['2026-11', 'soon', '2026-02-30']) {
      const answer = await get(`${path}?${name}=${text}`);
      expect([answer.status, answer.body.error], path).toEqual([400, 'invalid_date']);
      expect(answer.body.message, path).toContain(name);
    }
    expect((await get(`${path}?${name}=2026-11-01T00:00:00Z`)).status, path).toBe(200);
    expect((await get(`${path}?${name}=2026-11-01`)).status, path).toBe(200);
  }
  expect((await get('reconciliation?from=2026-11-01')).body.from).toBe('2026-11-01T00:00:00.000Z');
  expect((await get('orders?until=2000-01-01')).body.count).toBe(0);
  expect((await get('orders?since=2000-01-01')).body.count).toBe(3);
});

test('invalid_date names the parameter', async () => {
  const rule = 'an ISO-8601 date or date-time of the years 1970 to 9999, such as 2026-07-01T00:00:00Z';
  const answer = await get('settlements?settledFrom=2026-11-01T00:00:00Z&settledTo=never');
  expect(answer.body).toEqual({
    error: 'invalid_date',
    message: `settledTo is not ${rule}.`,
    detail: [{ path: 'settledTo', message: rule }],
  });
});

test('limit=abc reads as the default and numbers are clamped', async () => {
  for (const limit of ['abc', '', '1.5', '1e3', '0x1']) {
    const answer = await get(`orders?limit=${limit}`);
    expect([answer.status, answer.body.count], limit).toEqual([200, 3]);
  }
  expect((await get('orders?limit=0')).body.count).toBe(1);
  expect((await get('orders?limit=-5')).body.count).toBe(1);
  expect((await get(`orders?limit=${'9'.repeat(40)}`)).body.count).toBe(3);
  for (const list of ['positions', 'settlements', 'reconciliation/feed', 'users/ana/ledger']) {
    expect((await get(`${list}?limit=abc`)).status, list).toBe(200);
  }
});

test('a repeated status filters by both', async () => {
  const statuses = async (query: string) =>
    (await get(`orders?${query}`)).body.orders.map(({ status }: { status: string }) => status).toSorted();
  expect(await statuses('status=filled&status=cancelled')).toEqual(['cancelled', 'filled']);
  expect(await statuses('status=filled&status=none')).toEqual(['filled']);
  expect((await get('positions?status=open&status=settled')).body.count).toBe(1);
  expect((await get('positions?status=closed&status=settled')).body.count).toBe(0);
});

test('an empty reserveReference is as absent', async () => {
  const buy = { marketId: live.market.contractId, side: 'YES', action: 'buy', stake: 10 };
  const quoted = await post('quotes', buy);
  const order = await post('orders', {
    quoteId: quoted.quoteId,
    clientOrderId: 'empty reference',
    executionIntent: 'record_intent',
    reserveReference: '',
  });
  expect(order.status).toBe('reserve_pending');
  const confirmed = await post(`orders/${order.orderId}/confirm-reserve`, { reserveReference: '' });
  expect(confirmed.intent).toMatchObject({ reserveConfirmedAt: expect.any(String), reserveReference: null });
});

/** One rule for ids and references of partners, at every entrance; headers that say who calls are sent once. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

let service: World;

beforeAll(async () => {
  service = await openWorld();
});

afterAll(async () => {
  await service.close();
});

const ODD = ['\u001b[2Jx', 'a\nb', ' a', 'a ', 'a\u202eb', 'a\u200bb', '\u00a0a', 'x'.repeat(201)];
const GOOD = ['a', 'Ana Müller', '42', 'a/b?c=d', '😀'.repeat(200), 'toString'];

interface RawAnswer {
  readonly status: number;
  readonly error: string | undefined;
}

/** `fetch` joins and refuses what a test wants to repeat, so headers go out as pairs. */
function raw(method: string, path: string, headers: readonly string[], body = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers: [...headers], setHost: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += String(chunk);
      });
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, error: text === '' ? undefined : JSON.parse(text).error }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

const base = () => ['Host', 'inlay.example', 'Authorization', `Bearer ${service.key}`];

// contract 28.3
test('an id of a customer follows one rule in body, path, query and header', async () => {
  const entrances: readonly ((id: string) => Promise<{ status: number; error: string | undefined }>)[] = [
    (id) => send('POST', '/api/v1/embed-sessions', { externalUserId: id }),
    (id) => send('PUT', `/api/v1/users/${encodeURIComponent(id)}/limits`, { maxWagerMinor: 5 }),
    (id) => send('PUT', `/api/v1/users/${encodeURIComponent(id)}/jurisdiction`, { country: 'US' }),
    (id) => send('GET', `/api/v1/users/${encodeURIComponent(id)}/balance`),
    (id) => send('GET', `/api/v1/orders?externalUserId=${encodeURIComponent(id)}`),
    (id) => send('GET', `/api/v1/positions?externalUserId=${encodeURIComponent(id)}`),
    (id) => send('GET', `/api/v1/settlements?externalUserId=${encodeURIComponent(id)}`),
    (id) => send('GET', `/api/v1/reconciliation/feed?externalUserId=${encodeURIComponent(id)}`),
  ];
  for (const [number, entrance] of entrances.entries()) {
    for (const id of ODD) {
      const answer = await entrance(id);
      expect([answer.status, answer.error], `entrance ${number} ${JSON.stringify(id)}`).toEqual([
        400,
        'invalid_request',
      ]);
    }
    for (const id of GOOD) {
      const answer = await entrance(id);
      expect(answer.status, `entrance ${number} ${JSON.stringify(id)}`).not.toBe(400);
    }
  }
  // blanks at the ends of a header are no part of its value
  for (const id of ODD.filter((each) => each !== 'a\nb' && each.trim() === each)) {
    const header = Buffer.from(id).toString('latin1');
    const answer = await raw('POST', '/api/v1/quotes', [...base(), 'X-Service-User', header], '{}').catch(() => null);
    // what no header may hold is not sent at all
    expect([null, 'invalid_request'], JSON.stringify(id)).toContain(answer === null ? null : answer.error);
  }
});

// contract 28.3
test('clientOrderId and reserveReference follow the same rule', async () => {
  for (const id of ODD) {
    for (const body of [
      { quoteId: 'qt_1', clientOrderId: id },
      { quoteId: 'qt_1', clientOrderId: 'a', reserveReference: id },
    ]) {
      const answer = await service.request('POST', '/api/v1/orders', { user: 'u', body });
      expect([answer.status, answer.body.error], JSON.stringify(body)).toEqual([400, 'invalid_request']);
    }
    const confirmed = await service.request('POST', '/api/v1/orders/ord_1/confirm-reserve', {
      body: { reserveReference: id },
    });
    expect([confirmed.status, confirmed.body.error], JSON.stringify(id)).toEqual([400, 'invalid_request']);
  }
});

// contract 34.8
test('two user headers that differ are 400 invalid_request, equal ones are one customer', async () => {
  const differing = await raw('POST', '/api/v1/quotes', [...base(), 'X-Service-User', 'a', 'X-Operator-User', 'b']);
  expect(differing).toEqual({ status: 400, error: 'invalid_request' });
  const repeated = await raw('POST', '/api/v1/quotes', [...base(), 'X-Service-User', 'a', 'X-Service-User', 'b']);
  expect(repeated).toEqual({ status: 400, error: 'invalid_request' });
  const equal = await raw('POST', '/api/v1/quotes', [...base(), 'X-Service-User', 'a', 'X-Operator-User', 'a']);
  expect(equal).toEqual({ status: 400, error: 'invalid_json' });
});

test('a request with two Host headers is 400', async () => {
  for (const hosts of [
    ['Host', 'inlay.example', 'Host', 'evil.example'],
    ['Host', 'inlay.example', 'host', 'inlay.example'],
  ]) {
    expect(await raw('GET', '/api/v1/categories', [...hosts, 'Authorization', `Bearer ${service.key}`])).toEqual({
      status: 400,
      error: 'invalid_request',
    });
  }
  expect((await raw('GET', '/api/v1/categories', base())).status).toBe(200);
});

async function send(method: string, path: string, body?: unknown): Promise<RawAnswer> {
  const answer = await service.request(method, path, { body });
  return { status: answer.status, error: answer.body?.error };
}

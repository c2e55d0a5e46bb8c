/** What anybody may ask of the service without a key, and how much of it. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { connect as connectSocket, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClientAddress, meteredAddress } from '../../src/core/addresses.ts';
import { createMetrics, listenForMetrics } from '../../src/server/health/metrics.ts';
import { inOneMinute } from '../support/one-minute.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const RATE = 12;
let service: World;

/** Loopback is a proxy that is believed, so that a test can come from any address. */
beforeAll(async () => {
  service = await openWorld({
    environment: {
      INLAY_TRUSTED_PROXIES: '127.0.0.1,::1',
      INLAY_ANONYMOUS_RATE: String(RATE),
      INLAY_HTTP_CONNECTIONS: '40',
    },
  });
});
afterAll(() => service.close());

const from = (address: string, path: string, headers: Record<string, string> = {}) =>
  service.request('GET', path, { key: null, headers: { 'x-forwarded-for': address, ...headers } });

test('routes without a key are metered by client address, each with 429 and Retry-After', async () => {
  const paths = ['/openapi.json', '/docs', '/docs/search.json', '/api/events', '/api/markets', '/', '/nothing'];
  for (const [index, path] of [...paths, '/embed/predictions?operator=demo'].entries()) {
    const address = `198.51.100.${index + 1}`;
    await inOneMinute(8, async () => {
      for (let request = 0; request < RATE; request += 1) {
        expect((await from(address, path)).status, path).not.toBe(429);
      }
      const refused = await from(address, path);
      expect([refused.status, refused.body?.error], path).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after')), path).toBe(refused.body.retryAfterSeconds);
      expect((await from('198.51.100.99', '/api/health')).status, 'another address').toBe(200);
      // what a flood of pages may not do is make the service look ill
      expect((await from(address, '/api/health')).status, 'another budget').toBe(200);
    });
  }
  // a key has a budget of its own
  const keyed = await service.request('GET', '/api/v1/categories', { headers: { 'x-forwarded-for': '198.51.100.1' } });
  expect(keyed.status).toBe(200);
});

test('the OpenAPI document and its pages are sent from ready bytes, compressed', async () => {
  for (const [path, type] of [
    ['/openapi.json', 'application/json'],
    ['/docs/search.json', 'application/json'],
    ['/docs/guides/errors', 'text/html'],
  ] as const) {
    const [gzip, brotli, plain, none] = await Promise.all(
      ['gzip', 'gzip, br', 'identity', 'br;q=0'].map((coding, index) =>
        fetch(service.url + path, { headers: { 'accept-encoding': coding, 'x-forwarded-for': `203.0.113.${index}` } }),
      ),
    );
    expect([gzip, brotli, plain, none].map((answer) => answer?.headers.get('content-encoding'))).toEqual([
      'gzip',
      'br',
      null,
      null,
    ]);
    expect(plain?.headers.get('content-type')).toContain(type);
    const text = await plain?.text();
    expect(await gzip?.text()).toBe(text);
    const etag = String(plain?.headers.get('etag'));
    // fetch asks for no cached answer beside a condition of its caller, unless the caller says otherwise
    const asked = { 'accept-encoding': 'identity', 'if-none-match': etag, 'cache-control': 'max-age=60' };
    expect((await from('203.0.113.9', path, asked)).status).toBe(304);
  }
  expect([gunzipSync, brotliDecompressSync]).toHaveLength(2);
});

test('an IPv6 client is metered by its /56, so that other addresses of it evade nothing', async () => {
  await inOneMinute(8, async () => {
    for (let request = 0; request < RATE; request += 1) {
      expect((await from(`2001:db8:1:${(0x200 + request).toString(16)}::7`, '/openapi.json')).status).toBe(200);
    }
    expect((await from('2001:db8:1:2ff:ffff::1', '/openapi.json')).status).toBe(429);
    expect((await from('2001:db8:1:300::1', '/openapi.json')).status).toBe(200);
  });
  expect(meteredAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
});

// contract 35.1, contract 35.5
test('pictures are counted by the process, in a budget of their own, and not in the database', async () => {
  await inOneMinute(8, async () => {
    const left = [];
    for (const host of ['a', 'b', 'c']) {
      const { headers } = await from(`2001:db8:5:6::${host}`, '/api/v1/images/evt_none');
      left.push([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]);
    }
    expect(left).toEqual([
      ['300', '299'],
      ['300', '298'],
      ['300', '297'],
    ]);
  });
  await service.context.counters.flush();
  expect(await service.sql`select subject from rate_counters where subject !~ '^[ket]:'`).toEqual([]);
});

// contract 41.15
test('/metrics is for this machine alone, and never through a proxy', async () => {
  const direct = await service.request('GET', '/metrics', { key: null });
  expect(direct.status).toBe(200);
  expect(direct.text).toContain('inlay_http_requests_total');
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    const passedOn = await service.request('GET', '/metrics', { key: null, headers: { [header]: '198.51.100.77' } });
    expect([passedOn.status, passedOn.body.error], header).toEqual([404, 'not_found']);
  }
});

// contract 41.15
test('without a port of their own there are no metrics in production, and none for a name that a page has bound', async () => {
  const production = await openWorld({
    database: service.database,
    environment: { NODE_ENV: 'production', INLAY_SECRET: randomBytes(32).toString('hex') },
  });
  const { status, body } = await production.request('GET', '/metrics', { key: null });
  expect([status, body.error]).toEqual([404, 'not_found']);
  await production.close();
  const { port } = new URL(service.url);
  const asked = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${service.url}/metrics`, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on('error', reject).end();
    });
  for (const [host, status] of [
    [`127.0.0.1:${port}`, 200],
    [`localhost:${port}`, 200],
    ['[::1]', 200],
    ['evil.example', 404],
    [`localhost.evil.example:${port}`, 404],
  ] as const) {
    expect([host, await asked(host)]).toEqual([host, status]);
  }
});

// contract 41.15
test('with INLAY_METRICS_PORT metrics and health have a port of their own, and the API has no metrics', async () => {
  const apart = await openWorld({
    database: service.database,
    environment: { INLAY_METRICS_PORT: '0', INLAY_METRICS_HOST: '127.0.0.1' },
  });
  expect((await apart.request('GET', '/metrics', { key: null })).status).toBe(404);
  await apart.close();
  const alone = await listenForMetrics(createMetrics(service.context), service.context, '127.0.0.1', 0);
  const answer = await fetch(`${alone.url}/metrics`);
  expect(await answer.text()).toContain('inlay_board_revision');
  const health = await fetch(`${alone.url}/api/health`);
  expect([health.status, await health.json()]).toMatchObject([200, { database: 'up' }]);
  expect((await fetch(`${alone.url}/api/v1/events`)).status).toBe(404);
  await alone.close();
});

test('answers about money are not kept by anybody', async () => {
  for (const path of [
    'orders',
    'positions',
    'settlements',
    'reconciliation',
    'reconciliation/feed',
    'users/u/limits',
  ]) {
    const answer = await service.request('GET', `/api/v1/${path}`);
    expect([answer.status, answer.headers.get('cache-control')], path).toEqual([200, 'no-store']);
  }
  for (const path of ['users/u/balance', 'orders/ord_none']) {
    const refused = await service.request('GET', `/api/v1/${path}`);
    expect([refused.status, refused.headers.get('cache-control')], path).toEqual([404, 'no-store']);
  }
  const catalogue = await service.request('GET', '/api/v1/categories');
  expect(catalogue.headers.get('cache-control')).toBe('private, no-cache');
});

test('browsers are told to stay with TLS where the public address has it', async () => {
  const secure = await openWorld({
    database: service.database,
    environment: { INLAY_PUBLIC_URL: 'https://markets.example' },
  });
  for (const path of ['/api/health', '/openapi.json', '/embed/predictions?operator=demo', '/nothing']) {
    const answer = await secure.request('GET', path, { key: null });
    expect(answer.headers.get('strict-transport-security'), path).toBe('max-age=31536000');
  }
  await secure.close();
  const plain = await service.request('GET', '/openapi.json');
  expect(plain.headers.get('strict-transport-security')).toBeNull();
});

// contract 29.7
test('the country header of a peer that is no trusted proxy is not believed', async () => {
  const observed = async (proxies: string) => {
    const by = await openWorld({
      database: service.database,
      environment: { INLAY_COUNTRY_HEADER: 'X-Country', INLAY_TRUSTED_PROXIES: proxies },
    });
    const body = { maxWagerMinor: 500 };
    await by.request('PUT', '/api/v1/users/seen/limits', { body });
    const quote = { marketId: 'ctr_none', side: 'YES', action: 'buy', stake: 5 };
    for (let call = 0; call < 2; call += 1) {
      await by.request('POST', '/api/v1/quotes', { user: 'seen', body: quote, headers: { 'x-country': 'DE' } });
    }
    const { observedCountry } = (await by.request('GET', '/api/v1/users/seen/jurisdiction')).body;
    await by.close();
    return observedCountry;
  };
  expect(await observed('')).toBeNull();
  expect(await observed('10.0.0.0/8')).toBeNull();
  expect(await observed('127.0.0.0/8')).toBe('DE');
});

test('an unfinished body or head is answered 408 within 20 s; connections are capped', {
  timeout: 40_000,
  tags: 'proof',
}, async () => {
  const { port } = new URL(service.url);
  const open = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connectSocket(Number(port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (bytes) => {
        answer += String(bytes);
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(answer));
    });
  const startedAt = performance.now();
  const body = `PUT /api/v1/users/u/limits HTTP/1.1\r\nhost: inlay\r\nauthorization: Bearer ${service.key}\r\ncontent-length: 500\r\n\r\n{`;
  const answers = await Promise.all([open(body), open('GET /api/health HTTP/1.1\r\nhost: inl')]);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  for (const answer of answers) {
    expect(answer).toContain('408 Request Timeout');
    expect(answer).toContain('"error":"request_timeout"');
  }
  const held: Socket[] = [];
  for (let connection = 0; connection < 60; connection += 1) {
    const socket = connectSocket(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    held.push(socket);
  }
  const alive = () => held.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
  await until(async () => expect(await alive()).toBeLessThanOrEqual(40));
  expect(alive()).toBeGreaterThan(20);
  for (const socket of held) {
    socket.destroy();
  }
});

test('the address of a client is the first from the end that is no trusted proxy', () => {
  const addressOf = createClientAddress(['10.0.0.0/8', 'fd00::/8']);
  expect(addressOf('10.0.0.1', '198.51.100.1, 203.0.113.1 ,10.9.9.9')).toBe('203.0.113.1');
  expect(addressOf('::ffff:10.0.0.1', '10.1.1.1,, fd00::1')).toBe('10.1.1.1');
  expect(addressOf('192.0.2.1', '203.0.113.1')).toBe('192.0.2.1');
  expect(addressOf('10.0.0.1', undefined)).toBe('10.0.0.1');
  expect(createClientAddress([])('192.0.2.1', '203.0.113.1')).toBe('192.0.2.1');
});

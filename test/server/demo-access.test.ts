/** The demo trades without a key: it is there on a loopback bind alone, and it believes no Host header. */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeOperator } from '../../src/operators/operators.ts';
import { withOrigins } from '../../src/server/demo/demo.ts';
import { startInlay } from '../support/process.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;

beforeAll(async () => {
  service = await openWorld();
});
afterAll(() => service.close());

function get(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject).end();
  });
}

test("a request with another port in its Host moves neither the demo's webhook nor its frame origins", async () => {
  const { port } = new URL(service.url);
  expect(await get(`${service.url}/demo`, `127.0.0.1:${port}`)).not.toBe(404);
  const state = async () => [
    ...(await service.sql`select url from webhook_endpoints order by endpoint_id`),
    ...(await service.sql`select frame_origins from operators where slug = 'demo'`),
  ];
  const before = await state();
  for (const host of ['127.0.0.1:22', 'localhost:9200', '127.0.0.1', 'evil.example', `evil.example:${port}`]) {
    expect([host, await get(`${service.url}/demo`, host)]).toEqual([host, 503]);
  }
  expect(await state()).toEqual(before);
});

test('opening the demo keeps origins that were registered before, those of other loopback ports too', async () => {
  const { port } = new URL(service.url);
  const earlier = ['https://casino.example', 'http://localhost:4321', 'http://127.0.0.1:4321'];
  await changeOperator(service.sql, 'demo', { frameOrigins: earlier });
  expect(await get(`${service.url}/demo`, `127.0.0.1:${port}`)).not.toBe(404);
  const [row] = await service.sql<{ frameOrigins: string[] }[]>`
    select frame_origins from operators where slug = 'demo'`;
  expect(row?.frameOrigins).toEqual([
    ...earlier,
    `http://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    'http://127.0.0.1:3000',
    'http://localhost:3000',
  ]);
});

test('requests to the demo are counted by the process, and not in the database', async () => {
  const { status, headers } = await service.request('POST', '/demo/session', { key: null, body: { user: 'demo-few' } });
  expect([status, headers.get('ratelimit-limit')]).toEqual([200, '300']);
  await service.context.counters.flush();
  expect(await service.sql`select subject from rate_counters where subject !~ '^[ket]:'`).toEqual([]);
});

test('of more than ten origins the oldest loopback origins are dropped first', () => {
  const loopback = Array.from({ length: 6 }, (_, index) => `http://localhost:${4000 + index}`);
  const sites = ['https://a.example', 'https://b.example'];
  const wanted = ['http://localhost:5000', 'http://127.0.0.1:5000', 'http://localhost:4005'];
  expect(withOrigins([...loopback, ...sites], wanted)).toEqual([...loopback.slice(0, 5), ...sites, ...wanted]);
  const more = [...wanted, 'http://localhost:5001', 'http://127.0.0.1:5001'];
  expect(withOrigins([...loopback, ...sites], more)).toEqual([...loopback.slice(2, 5), ...sites, ...more]);
  const full = Array.from({ length: 10 }, (_, index) => `https://s${index}.example`);
  expect(withOrigins(full, wanted)).toEqual([...full.slice(3), ...wanted]);
});

// contract 37.3
test('serve has no demo, whatever its environment says', { tags: 'proof' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inlay-test-'));
  const env = { DATABASE_URL: service.database.url, INLAY_DATA_DIR: folder, PORT: '0' };
  const serve = startInlay(['serve'], { env });
  try {
    await serve.prints(/API at http/);
    const [url] = /http:\S+/.exec(serve.output().stdout) ?? [];
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    for (const path of ['/demo', '/demo/webhooks', '/demo/state?user=demo-1']) {
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
    }
  } finally {
    serve.child.kill('SIGTERM');
    await serve.ended;
    await rm(folder, { recursive: true, force: true });
  }
});

// contract 37.3
test('a request that came through a proxy gets no session and no page, although its Host is this machine', async () => {
  const body = { user: 'demo-x' };
  expect((await service.request('POST', '/demo/session', { key: null, body })).status).toBe(200);
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    const headers = { [header]: '203.0.113.9' };
    const refused = await service.request('POST', '/demo/session', { key: null, body, headers });
    expect([refused.status, refused.body.error], header).toEqual([403, 'origin_not_allowed']);
    expect((await service.request('GET', '/demo', { key: null, headers })).status, header).toBe(503);
  }
});

test('an API that listens beyond loopback has no demo routes', async () => {
  const open = await openWorld({ environment: { HOST: '0.0.0.0' }, database: service.database });
  try {
    for (const [method, path] of [
      ['GET', '/demo'],
      ['POST', '/api/demo/quotes'],
      ['POST', '/api/demo/orders'],
      ['POST', '/demo/session'],
      ['POST', '/demo/webhooks'],
    ] as const) {
      const { status } = await open.request(method, path, { key: null, ...(method === 'POST' && { body: {} }) });
      expect([path, status]).toEqual([path, 404]);
    }
  } finally {
    await open.close();
  }
});

test('a page that has bound its name to this machine reads and does nothing at the demo', async () => {
  const { port } = new URL(service.url);
  for (const path of ['/demo/state?user=demo-1', '/demo/webhooks']) {
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      expect([path, host, await get(service.url + path, host)]).toEqual([path, host, 200]);
    }
    for (const host of ['evil.example', `evil.example:${port}`]) {
      expect([path, host, await get(service.url + path, host)]).toEqual([path, host, 403]);
    }
  }
});

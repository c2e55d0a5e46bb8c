/** The demo trades without a key: it is there on a loopback bind alone, and it believes no Host header. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
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

test("security 9: a request with another port in its Host moves neither the demo's webhook nor its frame origins", async () => {
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

test('security 9: an API that listens beyond loopback has no demo routes', async () => {
  const open = await startTestService({ environment: { HOST: '0.0.0.0' }, database: service.database });
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

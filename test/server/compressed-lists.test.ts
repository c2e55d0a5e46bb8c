/** Lists as callers on slow lines ask for them: compressed, revalidated, and each form under an entity tag of its own. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveBook, seed } from '../catalogue/seed.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
beforeAll(async () => {
  service = await openWorld();
  await seed(
    service.sql,
    Array.from({ length: 30 }, (_, number) => ({ id: `long${number}`, title: `Question number ${number}` })),
  );
  await service.context.board.refresh();
});
afterAll(() => service.close());

const RANKED = '/api/v1/events?limit=25';
/** The same events in an order that no price changes: a book with less in it is ranked lower within a second, here below the page. */
const ORDERED = `${RANKED}&sort=closing-soon`;

async function list(headers: Record<string, string> = {}, path = RANKED) {
  const answer = await request(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${service.key}`, ...headers },
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  return { status: answer.statusCode, headers: answer.headers, bytes };
}

test('a list is sent in brotli or gzip where the caller accepts it, and holds the same bytes', async () => {
  const plain = await list();
  expect(plain.headers['content-encoding']).toBeUndefined();
  const brotli = await list({ 'accept-encoding': 'gzip, deflate, br' });
  const gzip = await list({ 'accept-encoding': 'gzip;q=0.5, br;q=0' });
  expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
  expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
  expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
  expect(brotli.bytes.length).toBeLessThan(plain.bytes.length * 0.15);
  expect([plain, brotli, gzip].map(({ headers }) => headers['vary'])).toEqual(Array(3).fill('accept-encoding'));
});

test('each form has an entity tag, and either one is confirmed until a price moves', async () => {
  const plain = await list({}, ORDERED);
  const brotli = await list({ 'accept-encoding': 'br' }, ORDERED);
  const tags = [plain.headers['etag'], brotli.headers['etag']].map(String);
  expect(new Set(tags).size).toBe(2);
  for (const tag of tags) {
    const again = await list({ 'accept-encoding': 'br', 'if-none-match': tag }, ORDERED);
    expect([again.status, again.headers['etag'], again.bytes.length]).toEqual([304, tag, 0]);
  }
  await moveBook(service.sql, { id: 'long0', bids: [[0.21, 10]], asks: [[0.23, 10]] });
  await service.context.board.refresh();
  const moved = await list({ 'accept-encoding': 'br', 'if-none-match': tags.join(', ') }, ORDERED);
  expect(moved.status).toBe(200);
  expect(brotliDecompressSync(moved.bytes).toString()).toContain('"executableYesCents":23');
});

test('many callers who come at once get what they accept or plain bytes, and all get the same list', async () => {
  await moveBook(service.sql, { id: 'long1', bids: [[0.31, 10]], asks: [[0.33, 10]] });
  await service.context.board.refresh();
  const paths = Array.from({ length: 12 }, (_, number) => `/api/v1/events?limit=${25 - (number % 6)}`);
  const answers = await Promise.all(paths.map((path) => list({ 'accept-encoding': 'br' }, path)));
  const texts = answers.map(({ headers, bytes }) =>
    (headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes).toString(),
  );
  expect(texts.map((text) => JSON.parse(text).data.length)).toEqual(paths.map((path) => Number(path.slice(-2))));
});

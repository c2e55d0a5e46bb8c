/** Calls of a venue that fail say why in words, and whether the venue may have taken them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openVenueHttp, type VenueHttp } from '../../src/venues/http.ts';

let http: VenueHttp;
afterEach(() => http.close());

test('a venue that takes the request and does not answer is named with the time that it had', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  http = openVenueHttp('slow', z.never());
  await expect(http.call('GET', `http://127.0.0.1:${port}/`, 200)).rejects.toMatchObject({
    message: 'GET: no answer within 0.2 s',
    venue: 'slow',
    notTaken: false,
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a venue that is not there never took the request', async () => {
  http = openVenueHttp('gone', z.never());
  await expect(http.call('GET', 'http://127.0.0.1:9/', 2_000)).rejects.toMatchObject({
    message: 'GET: ECONNREFUSED',
    notTaken: true,
  });
});

// contract 19.8
test.each([
  ['seconds', '86400', 120_000],
  ['half a second', '0.5', 500],
  ['a hundred days', '8640000', 120_000],
  ['a date', (now: number) => new Date(now + 86_400_000).toUTCString(), 120_000],
  [
    'a date by a clock of the venue that is an hour behind',
    (now: number) => new Date(now - 3_590_000).toUTCString(),
    10_000,
  ],
])('a 429 holds a venue no longer than two minutes, by its own clock: %s', async (_, retryAfter, most) => {
  const server = createServer((_request, response) => {
    const now = Date.now();
    const after = typeof retryAfter === 'string' ? retryAfter : retryAfter(now);
    response.writeHead(429, { 'retry-after': after, date: new Date(now - 3_600_000).toUTCString() }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  http = openVenueHttp('busy', z.never());
  const failure = await http.call('GET', `http://127.0.0.1:${port}/`, 2_000).catch((error: unknown) => error);
  const { retryAfterMs } = failure as { retryAfterMs: number };
  expect(retryAfterMs).toBeLessThanOrEqual(most);
  expect(retryAfterMs).toBeGreaterThanOrEqual(Math.max(most - 2_000, 1));
  await new Promise((resolve) => server.close(resolve));
});

test('a body without an end is given up, and the outcome is unknown', { timeout: 30_000 }, async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'a');
  const server = createServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(chunk)) {}
    };
    response.on('drain', more);
    more();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  http = openVenueHttp('endless', z.never());
  await expect(http.call('GET', `http://127.0.0.1:${port}/`, 25_000)).rejects.toMatchObject({
    message: expect.not.stringContaining('no answer within'),
    notTaken: false,
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

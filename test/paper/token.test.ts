/** The paper venue answers this deployment alone: without the token derived from its root secret there is only 401. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createPaperTokenCheck, paperToken } from '../../src/core/secret.ts';
import { openImageFetcher } from '../../src/markets/images/image-fetch.ts';
import { openVenues } from '../../src/venues/registry.ts';
import { until } from '../support/until.ts';
import { venueAccess } from '../support/venue-access.ts';
import { type Running, Seen, someListing, startVenue } from '../venues/support.ts';
import { PAPER_TOKEN } from './support.ts';

let running: Running;

beforeAll(async () => {
  running = await startVenue();
});
afterAll(() => running.close());

const WRONG = [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  PAPER_TOKEN,
  `Basic ${PAPER_TOKEN}`,
  `Bearer ${PAPER_TOKEN}x`,
  `Bearer ${PAPER_TOKEN.slice(0, -1)}`,
  `Bearer ${paperToken({ current: 'a secret of somebody else' })}`,
];

function ask(method: string, path: string, authorization: string | undefined): Promise<[number | undefined, string]> {
  const headers = authorization === undefined ? {} : { authorization };
  return new Promise((resolve, reject) => {
    const sent = request(`${running.venue.url}${path}`, { method, headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) {
        parts.push(part);
      }
      resolve([response.statusCode, Buffer.concat(parts).toString('utf8')]);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{}' : undefined);
  });
}

/** The status of the answer to a WebSocket handshake. */
function shake(authorization: string | undefined): Promise<number | undefined> {
  const headers = authorization === undefined ? {} : { authorization };
  const socket = new WebSocket(`${running.venue.url.replace('http', 'ws')}/v1/stream`, { headers });
  return new Promise((resolve) => {
    socket.on('upgrade', ({ statusCode }) => resolve(statusCode));
    socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode));
    socket.on('error', () => {});
  }).finally(() => socket.terminate()) as Promise<number | undefined>;
}

test('the paper venue answers 401 and nothing else without its token, on HTTP and on the stream', async () => {
  const listingId = someListing(running.venue);
  for (const authorization of WRONG) {
    for (const [method, path] of [
      ['GET', '/v1/catalogue'],
      ['GET', '/v1/books'],
      ['GET', `/v1/fees/${listingId}`],
      ['GET', '/v1/time'],
      ['GET', '/v1/account/balance'],
      ['GET', '/v1/orders'],
      ['POST', '/v1/orders'],
      ['POST', '/v1/orders/ours-1/cancel'],
      ['POST', '/control/book'],
      ['POST', '/control/list'],
      ['GET', '/images/any.png'],
      ['GET', '/nothing'],
      ['DELETE', '/v1/orders'],
    ] as const) {
      expect([authorization, path, await ask(method, path, authorization)]).toEqual([
        authorization,
        path,
        [401, '{"error":"unauthorized"}'],
      ]);
    }
    expect([authorization, await shake(authorization)]).toEqual([authorization, 401]);
  }
  expect((await ask('GET', '/v1/time', `Bearer ${PAPER_TOKEN}`))[0]).toBe(200);
  expect(await shake(`Bearer ${PAPER_TOKEN}`)).toBe(101);
});

test("the service's own client of the venue has the token, and one of another deployment reaches nothing", async () => {
  const listingId = someListing(running.venue);
  const seen = new Seen();
  const watch = await running.adapter.watch(seen);
  await until(() => watch.connected, Boolean, 10_000);
  expect((await running.adapter.catalogue()).events.length).toBeGreaterThan(0);
  expect(await running.adapter.book(listingId)).not.toBeNull();
  expect(await running.adapter.account?.balanceMicros()).toBeGreaterThan(0n);
  await watch.close();
  const [eventId = ''] = Object.keys(running.venue.exchange.state.events);
  const images = openImageFetcher(PAPER_TOKEN);
  const { type } = await images.fetch(`${running.venue.url}/images/${eventId}.png`, [running.venue.url]);
  expect(type).toBe('image/png');
  await images.close();

  const token = paperToken({ current: 'a secret of somebody else' });
  const venues = openVenues(['paper'], async () => running.venue.url, venueAccess(token));
  await expect(venues.get('paper').book(listingId)).rejects.toMatchObject({ name: 'VenueUnknown', notTaken: true });
  await venues.close();
});

test('after a rotation of the secret the venue still knows the earlier token', () => {
  const admits = createPaperTokenCheck({ current: 'the new secret', previous: ['the old secret'] });
  const shown = ['the new secret', 'the old secret', 'the oldest secret'];
  expect(shown.map((current) => admits(`Bearer ${paperToken({ current })}`))).toEqual([true, true, false]);
});

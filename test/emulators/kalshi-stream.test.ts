/** The stream of Kalshi against the emulated exchange: books by snapshot and delta, and every way in which it can fail. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { venueIdOf } from '../../src/trading/execution/venue-order-id.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import { KNOWN_TYPES, streamMessage } from '../../src/venues/kalshi/stream-messages.ts';
import type { Venue } from '../../src/venues/port.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { recorded, recording } from '../venues/recordings.ts';
import { newKalshiKey } from './kalshi-venue.ts';
import { SLOWEST, WatchedVenue } from './watched-venue.ts';

const TICKER = 'KXTEST-26-T1';
const folder = mkdtempSync(join(tmpdir(), 'inlay-kalshi-stream-'));
let emulator: KalshiEmulator;
let venue: Venue;
let seen: WatchedVenue;
let books: WatchedVenue['books'];
let events: string[];

const tell = (request: object) => emulator.control(controlRequest.parse(request));
const list = (ticker: string) =>
  tell({ do: 'market', ticker, eventTicker: ticker.slice(0, -3), title: 'T', closeTime: '2099-01-01T00:00:00Z' });
const setBook = (yes: [string, string][], no: [string, string][], ticker = TICKER) =>
  tell({ do: 'book', ticker, yes, no });

beforeEach(async () => {
  emulator = await startKalshiEmulator();
  const file = newKalshiKey(emulator, 'k');
  list(TICKER);
  setBook([['0.4000', '50.00']], [['0.5500', '10.00']]);
  const streamUrl = emulator.url.replace('http', 'ws');
  const settings = { ...VENUE_SETTINGS.kalshi, streamUrl, keyId: 'k', privateKeyFile: file };
  venue = openKalshi('kalshi', async () => emulator.url, settings);
  seen = new WatchedVenue();
  ({ books, events } = seen);
});
afterEach(async () => {
  await seen.watch?.close();
  await venue.close();
  await emulator.close();
});

const follow = () => seen.follow(venue);
const bids = () => books.get(TICKER)?.bids.map((level) => [level.priceMicros, level.quantityMicros]);
const asks = () => books.get(TICKER)?.asks.map((level) => [level.priceMicros, level.quantityMicros]);

test('books come as a snapshot and change by deltas, also down to nothing, and the connection confirms them', async () => {
  await follow();
  expect([bids(), asks(), books.get(TICKER)?.feed]).toEqual([
    [[400_000n, 50_000_000n]],
    [[450_000n, 10_000_000n]],
    'websocket',
  ]);
  setBook(
    [
      ['0.4100', '7.50'],
      ['0.4000', '20.00'],
    ],
    [],
  );
  await expect.poll(asks, SLOWEST).toEqual([]);
  expect(bids()).toEqual([
    [410_000n, 7_500_000n],
    [400_000n, 20_000_000n],
  ]);
  await expect.poll(() => seen.confirmed, SLOWEST).toBeGreaterThan(1);
  expect(seen.watch?.connected).toBe(true);
});

test('what the catalogue lists later is followed, and a market whose state changed is read at once', {
  timeout: 60_000,
}, async () => {
  await follow();
  list('KXLATER-T1');
  setBook([['0.2000', '5.00']], [], 'KXLATER-T1');
  await venue.catalogue();
  await expect.poll(() => books.get('KXLATER-T1')?.bids.length, SLOWEST).toBe(1);
  tell({ do: 'status', ticker: TICKER, status: 'finalized', result: 'yes', settlementValue: '1.0000' });
  await expect.poll(() => seen.results(), SLOWEST).toContain('YES');
});

test.each([
  ['gap', /^down: expected message/],
  ['disconnect', /^down: the connection ended/],
  ['garbage', /^down: a message could not be read/],
  ['silence', /^down: nothing was received/],
] as const)(
  'a stream that fails with %s is down, comes back, and has the current books',
  { timeout: 60_000 },
  async (fault, reason) => {
    await follow();
    tell({ do: 'stream', fault });
    setBook([['0.3000', '1.00']], []);
    // the message that is lost is noticed by the next one
    setBook([['0.3100', '2.00']], []);
    await expect.poll(() => events.filter((event) => event === 'up').length, SLOWEST).toBe(2);
    expect(events.find((event) => event.startsWith('down'))).toMatch(reason);
    expect([bids(), asks()]).toEqual([[[310_000n, 2_000_000n]], []]);
  },
);

test('a book that stays crossed after a lost change is read again', { timeout: 60_000 }, async () => {
  await follow();
  tell({ do: 'stream', fault: 'crossed' });
  // the bid of NO is gone, which the stream does not say, so YES at 0.50 crosses it
  setBook([['0.4000', '50.00']], []);
  setBook([['0.5000', '1.00']], []);
  await expect.poll(bids, SLOWEST).toEqual([[500_000n, 1_000_000n]]);
  await expect.poll(() => events.find((event) => event.startsWith('down')), SLOWEST).toMatch(/stays crossed$/);
  await expect.poll(asks, SLOWEST).toEqual([]);
  expect(bids()).toEqual([[500_000n, 1_000_000n]]);
});

test('while the stream refuses its key the books are polled', { timeout: 60_000 }, async () => {
  const settings = {
    ...VENUE_SETTINGS.kalshi,
    streamUrl: 'ws://127.0.0.1:9',
    keyId: 'k',
    privateKeyFile: join(folder, 'none.pem'),
  };
  const broken = openKalshi('kalshi', async () => emulator.url, settings);
  await broken.close();
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await follow();
  // the exchange forgets the key: the stream cannot come back, public books can
  tell({ do: 'key', keyId: 'k', publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })), cash: '1000' });
  tell({ do: 'stream', fault: 'disconnect' });
  setBook([['0.3000', '1.00']], []);
  await expect.poll(() => events.filter((event) => event === 'up').length, SLOWEST).toBe(2);
  expect([books.get(TICKER)?.feed, bids()]).toEqual(['rest', [[300_000n, 1_000_000n]]]);
});

test('our orders and fills are pushed with our id', { timeout: 60_000 }, async () => {
  const pushed: string[] = [];
  const following = venue.account?.follow?.((ids) => pushed.push(...ids));
  const ourId = venueIdOf(newId('ord'));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const order = {
    ourId,
    listingId: TICKER,
    side: 'YES',
    action: 'BUY',
    quantityMicros: 2_000_000n,
    limitPriceMicros: 450_000n,
    expiresAt: new Date(Date.now() + 30_000),
  } as const;
  await venue.placeOrder(order, () => true);
  await expect.poll(() => pushed, SLOWEST).toContain(ourId);
  following?.close();
  expect(await venue.account?.settledSince?.(new Date(Date.now() - 60_000))).toEqual([]);
  tell({ do: 'status', ticker: TICKER, status: 'finalized', result: 'no', settlementValue: '0.0000' });
  expect(await venue.account?.settledSince?.(new Date(Date.now() - 60_000))).toEqual([TICKER]);
});

test.skipIf(!recorded)(
  'every message that was recorded of the exchange can be read, and its numbers follow each other',
  () => {
    const { frames } = recording<{ frames: { frame: { type: string; sid?: number; seq?: number } }[] }>(
      'kalshi/ws_orderbook_stream',
    );
    expect(frames.length).toBeGreaterThan(100);
    let last = 0;
    for (const { frame } of frames) {
      expect(KNOWN_TYPES.has(frame.type), frame.type).toBe(true);
      expect(streamMessage.safeParse(frame).error?.message).toBeUndefined();
      if (frame.seq !== undefined) {
        expect(frame.seq).toBe(last + 1);
        last = frame.seq;
      }
    }
  },
);

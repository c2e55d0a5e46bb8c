/** Kalshi's catalogue against the emulated exchange: all pages once, then what changed; old orders, fills and results in the historical lists. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { VenueCatalogue } from '../../src/venues/listing.ts';
import type { Venue } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { newKalshiKey } from './kalshi-venue.ts';

const EVENTS = 650;
const MONTH_MS = 30 * 86_400_000;
const YEAR_MS = 365 * 86_400_000;
const closeTime = new Date(Date.now() + MONTH_MS);
const asked: string[] = [];
let emulator: KalshiEmulator;
let front: Server;
let frontUrl: string;
let keyFile: string;
const venues: Venue[] = [];

beforeAll(async () => {
  emulator = await startKalshiEmulator();
  keyFile = newKalshiKey(emulator, 'k');
  for (let index = 0; index < EVENTS; index += 1) {
    list(`KXE${index}`);
  }
  front = createServer((incoming, outgoing) => {
    // translations are asked for on their own (kalshi-presentation.test.ts)
    if (incoming.headers['accept-language'] === undefined) {
      asked.push(incoming.url ?? '');
    }
    // a connection for each request: none is closed while the next request is on its way
    const onward = request(
      `${emulator.url}${incoming.url}`,
      { method: incoming.method, headers: { ...incoming.headers, connection: 'close' }, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  frontUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked.length = 0;
  emulator.faults.clear();
});
afterAll(async () => {
  await Promise.all(venues.map((venue) => venue.close()));
  front.close();
  await emulator.close();
});

function list(event: string, title = `Will ${event} happen?`): void {
  emulator.control({
    do: 'market',
    ticker: `${event}-YES`,
    eventTicker: event,
    title,
    rules: 'By the source.',
    closeTime,
  });
}

function open(wholeEveryMs?: number, signs = true, feesGoodMs?: number): Venue {
  const key = signs ? { keyId: 'k', privateKeyFile: keyFile } : {};
  const venue = openKalshi(
    'kalshi',
    async () => frontUrl,
    { ...VENUE_SETTINGS.kalshi, ...key },
    wholeEveryMs,
    feesGoodMs,
  );
  venues.push(venue);
  return venue;
}

const lists = (name: string) => asked.filter((url) => url.startsWith(`/trade-api/v2/${name}?`));

test('every page is read once, and afterwards what changed', async () => {
  const venue = open();
  expect((await venue.catalogue()).events).toHaveLength(EVENTS);
  expect(lists('events')).toHaveLength(4);
  asked.length = 0;
  emulator.control({ do: 'status', ticker: 'KXE7-YES', status: 'inactive' });
  list('KXNEW');
  const { events } = await venue.catalogue();
  expect(events).toHaveLength(EVENTS + 1);
  expect(events.find(({ eventId }) => eventId === 'KXE7')?.status).toBe('paused');
  expect(events.find(({ eventId }) => eventId === 'KXNEW')?.status).toBe('open');
  expect(lists('markets').every((url) => url.includes('min_updated_ts='))).toBe(true);
  expect(lists('events').filter((url) => url.includes('status=open'))).toEqual([]);
}, 60_000);

test('a change that the exchange does not report is found when all pages are read again', async () => {
  const venue = open(1_500);
  await venue.catalogue();
  const market = emulator.state.markets.get('KXE9-YES');
  expect(market).toBeDefined();
  if (market !== undefined) {
    market.closeTime = new Date(closeTime.getTime() + 3_600_000);
    market.updatedAt = new Date(0);
  }
  const closesAt = async () =>
    (await venue.catalogue()).events.find(({ eventId }) => eventId === 'KXE9')?.markets[0]?.closesAt;
  await until(async () => expect(await closesAt()).toEqual(new Date(closeTime.getTime() + 3_600_000)), 30_000);
}, 60_000);

test('a failed page takes over nothing, and the next question asks for the same changes', async () => {
  const venue = open();
  await venue.catalogue();
  emulator.control({ do: 'status', ticker: 'KXE8-YES', status: 'inactive' });
  emulator.faults.arm({ kind: 'status', status: 503 }, 'GET /markets');
  await expect(venue.catalogue()).rejects.toThrow();
  const { events } = await venue.catalogue();
  expect(events.find(({ eventId }) => eventId === 'KXE8')?.status).toBe('paused');
}, 60_000);

test('the first read needs the series and the announced fees', async () => {
  const venue = open();
  emulator.faults.arm({ kind: 'status', status: 503 }, 'GET /series/fee_changes');
  await expect(venue.catalogue()).rejects.toThrow();
}, 60_000);

// contract 19.10
test.each(['GET /series', 'GET /series/fee_changes', 'GET /events/fee_changes'])(
  'fees that cannot be read again (%s) stay for a while, and then nothing is sold',
  async (on) => {
    const venue = open(undefined, true, 5_000);
    const statusOf = ({ events }: VenueCatalogue, ticker: string) =>
      events.flatMap(({ markets }) => markets).find(({ listingId }) => listingId === ticker)?.status;
    await venue.catalogue();
    emulator.faults.arm({ kind: 'status', status: 503 }, on, 1_000);
    emulator.control({ do: 'status', ticker: 'KXE7-YES', status: 'inactive' });
    const kept = await venue.catalogue();
    expect(kept.invalid).toMatchObject([{ reason: 'status 503' }]);
    // what else changed is read, and what was known is sold on
    expect([statusOf(kept, 'KXE7-YES'), statusOf(kept, 'KXE6-YES')]).toEqual(['paused', 'open']);
    await until(async () => expect(statusOf(await venue.catalogue(), 'KXE6-YES')).toBe('paused'), 30_000);
    emulator.faults.clear();
    emulator.control({ do: 'status', ticker: 'KXE7-YES', status: 'active' });
    const again = await venue.catalogue();
    expect([statusOf(again, 'KXE7-YES'), statusOf(again, 'KXE6-YES'), again.invalid]).toEqual(['open', 'open', []]);
  },
  60_000,
);

// contract 19.10
test('a new event whose series cannot be read is shown and not sold until it can be', async () => {
  const venue = open(1_500);
  await venue.catalogue();
  list('KXFRESH');
  emulator.control({ do: 'series', ticker: 'KXFRESH', category: 'Economics', feeType: 'quadratic', feeMultiplier: 2 });
  const statusOf = async () =>
    (await venue.catalogue()).events.find(({ eventId }) => eventId === 'KXFRESH')?.markets[0]?.status;
  emulator.faults.arm({ kind: 'status', status: 503 }, 'GET /series', 1_000);
  expect(await statusOf()).toBe('paused');
  emulator.faults.clear();
  await until(async () => expect(await statusOf()).toBe('open'), 30_000);
}, 60_000);

test('without a key the first pages are read, every time', async () => {
  const venue = open(undefined, false);
  expect((await venue.catalogue()).events).toHaveLength(600);
  await venue.catalogue();
  expect(lists('events')).toHaveLength(6);
  expect(lists('markets')).toEqual([]);
}, 60_000);

test('the result of a held market that was archived is read from the historical list', async () => {
  const venue = open();
  emulator.control({
    do: 'status',
    ticker: 'KXE5-YES',
    status: 'finalized',
    result: 'scalar',
    settlementValue: 250_000n,
  });
  emulator.control({ do: 'archive', before: new Date(Date.now() + 1_000) });
  try {
    const { events } = await venue.catalogue(['KXE5-YES']);
    expect(events.find(({ eventId }) => eventId === 'KXE5')?.markets[0]?.resolution).toMatchObject({
      outcome: 'SPLIT',
      yesWorthMicros: 250_000n,
    });
    expect(lists('historical/markets')).toHaveLength(1);
  } finally {
    emulator.control({ do: 'archive', before: new Date(0) });
  }
}, 60_000);

test('an order of last year is found with its fills, though the live lists do not have them any more', async () => {
  const venue = open();
  const made = Date.now() - YEAR_MS;
  const ourId = `att_${made.toString(16).padStart(12, '0')}0123456789abcdef`;
  const level = (price: bigint) => [{ price, count: 500_000_000n }];
  emulator.control({ do: 'book', ticker: 'KXE3-YES', yes: level(400_000n), no: level(580_000n) });
  const order = {
    ourId,
    listingId: 'KXE3-YES',
    side: 'YES',
    action: 'BUY',
    quantityMicros: 5_000_000n,
    limitPriceMicros: 430_000n,
  } as const;
  const placed = await venue.placeOrder({ ...order, expiresAt: new Date(Date.now() + 60_000) }, () => true);
  expect(placed.outcome).toBe('accepted');
  const then = new Date(made + 1_000);
  const account = emulator.state.accounts.get('k');
  for (const known of account?.orders.values() ?? []) {
    Object.assign(known, { createdAt: then, updatedAt: then });
  }
  for (const fill of account?.fills ?? []) {
    Object.assign(fill, { at: then });
  }
  emulator.control({ do: 'archive', before: new Date(Date.now() - YEAR_MS / 4) });
  try {
    const found = await venue.findOrder(ourId, order);
    expect(found).toMatchObject({ outcome: 'found', order: { ourId, state: 'closed', quantityMicros: 5_000_000n } });
    expect(found.outcome === 'found' && found.order.fills).toEqual(
      placed.outcome === 'accepted' && placed.order.fills.map((fill) => ({ ...fill, occurredAt: then })),
    );
    expect(lists('historical/orders')).toHaveLength(1);
    expect(await venue.findOrder(`att_${made.toString(16).padStart(12, '0')}fedcba9876543210`, order)).toMatchObject({
      outcome: 'not_found',
    });
  } finally {
    emulator.control({ do: 'archive', before: new Date(0) });
  }
}, 60_000);

test('an order of today is not looked for in the historical lists', async () => {
  const venue = open();
  const ourId = `att_${Date.now().toString(16).padStart(12, '0')}0123456789abcdef`;
  expect(await venue.findOrder(ourId)).toMatchObject({ outcome: 'not_found' });
  expect(asked.filter((url) => url.includes('/historical/'))).toEqual([expect.stringContaining('/historical/cutoff')]);
});

test('the budget follows the tier of the account', async () => {
  const venue = open();
  expect(venue.limits.map(({ perSecond }) => perSecond)).toEqual([150, 100]);
  emulator.control({ do: 'tier', name: 'expert', readPerSecond: 600, writePerSecond: 600 });
  const limits = await venue.readLimits?.();
  expect(limits?.map(({ perSecond, burst }) => [perSecond, burst])).toEqual([
    [450, 900],
    [600, 600],
  ]);
  expect(limits?.map(({ costs }) => costs)).toEqual(venue.limits.map(({ costs }) => costs));
  const checks = await venue.account?.inspect?.();
  expect(checks?.find(({ name }) => name === 'limits')).toEqual({
    name: 'limits',
    ok: true,
    detail: 'tier expert: 600 read and 600 write tokens a second on each part',
  });
});

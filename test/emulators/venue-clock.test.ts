/** A clock that differs from the exchange's: requests are signed with the exchange's time, so that look-ups are answered. */
import { afterEach, expect, test, vi } from 'vitest';
import { startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { Venue } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { newKalshiKey } from './kalshi-venue.ts';
import { openPolymarketExchange, orderOf, prepare } from './polymarket-venue.ts';

const AHEAD_MS = 180_000;
const SLOW_MS = 15_000;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0).reverse()) {
    await close();
  }
});

async function openKalshiExchange() {
  const emulator = await startKalshiEmulator();
  const tell = (request: object) => emulator.control(controlRequest.parse(request));
  const file = newKalshiKey(emulator, 'k');
  const settings = {
    ...VENUE_SETTINGS.kalshi,
    streamUrl: emulator.url.replace('http', 'ws'),
    keyId: 'k',
    privateKeyFile: file,
  };
  const venue = openKalshi('kalshi', async () => emulator.url, settings);
  closing.push(
    () => emulator.close(),
    () => venue.close(),
  );
  return { tell, venue };
}

const offsetOf = async (venue: Venue) => ((await venue.account?.serverTime()) ?? new Date(0)).getTime() - Date.now();

test.each([AHEAD_MS, -AHEAD_MS])(
  "Kalshi's clock %i ms from ours: requests and streams are signed with its time",
  async (ms) => {
    const { tell, venue } = await openKalshiExchange();
    tell({ do: 'clock', aheadMs: ms });
    expect(await venue.account?.balanceMicros()).toBe(1_000_000_000n);
    // the difference itself stays visible: beyond two seconds nothing is sent
    expect(Math.abs((await offsetOf(venue)) - ms)).toBeLessThan(AHEAD_MS / 4);
    expect(await venue.account?.inspect?.()).toContainEqual(
      expect.objectContaining({ name: 'clock', ok: false, detail: expect.stringContaining('set the clock') }),
    );
    const events: string[] = [];
    const watch = await venue.watch({
      books: () => {},
      changes: () => {},
      confirmed: () => {},
      up: () => events.push('up'),
      down: (reason) => events.push(reason),
      invalid: () => {},
    });
    closing.push(() => watch.close());
    await until(() => expect(events[0]).toBe('up'), SLOW_MS);
    expect(watch.connected).toBe(true);
  },
);

test.each([AHEAD_MS, -AHEAD_MS])(
  "Polymarket's clock %i ms from ours: both levels are signed with its time",
  async (ms) => {
    const exchange = await openPolymarketExchange();
    closing.push(() => exchange.close());
    exchange.tell({ do: 'clock', aheadMs: ms });
    expect(await exchange.venue.account?.balanceMicros()).toBe(1_000_000_000n);
    expect(Math.abs((await offsetOf(exchange.venue)) - ms)).toBeLessThan(AHEAD_MS / 4);
    const order = await prepare(exchange.venue, orderOf(exchange));
    expect(await exchange.venue.findOrder(order.ourId, order)).toEqual({ outcome: 'not_found' });
  },
);

test('our clock is set while the service runs: signatures stay right without another measurement', async () => {
  const { tell, venue } = await openKalshiExchange();
  expect(await venue.account?.balanceMicros()).toBe(1_000_000_000n);
  // the emulator runs in this process, so its clock is moved the other way
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 });
  tell({ do: 'clock', aheadMs: -90_000 });
  expect(await venue.account?.balanceMicros()).toBe(1_000_000_000n);
});

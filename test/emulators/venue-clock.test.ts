/** A clock that differs from the exchange's: requests are signed with the exchange's time, so that look-ups are answered. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EXCHANGES } from './every-exchange.ts';
import type { Exchange } from './exchange.ts';
import { openKalshiMarket } from './kalshi-venue.ts';
import { WatchedVenue } from './watched-venue.ts';

const AHEAD_MS = 180_000;
let exchange: Exchange;
let seen: WatchedVenue | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await seen?.watch?.close();
  seen = undefined;
  await exchange.close();
});

describe.each(EXCHANGES)('the clock of %s', (_, open) => {
  test.each([AHEAD_MS, -AHEAD_MS])('%i ms from ours: requests and streams are signed with its time', async (ms) => {
    exchange = await open();
    const { venue, tell } = exchange;
    tell({ do: 'clock', aheadMs: ms });
    expect(await venue.account?.balanceMicros()).toBe(1_000_000_000n);
    // the difference itself stays visible: beyond two seconds nothing is sent
    const offset = ((await venue.account?.serverTime()) ?? new Date(0)).getTime() - Date.now();
    expect(Math.abs(offset - ms)).toBeLessThan(AHEAD_MS / 4);
    expect(await venue.account?.inspect?.()).toContainEqual(
      expect.objectContaining({ name: 'clock', ok: false, detail: expect.stringContaining('set the clock') }),
    );
    const order = await exchange.order();
    expect(await venue.findOrder(order.ourId, order)).toMatchObject({ outcome: 'not_found' });
    seen = new WatchedVenue();
    await seen.follow(venue);
    expect(seen.watch?.connected).toBe(true);
  });
});

test('our clock is set while the service runs: signatures stay right without another measurement', async () => {
  exchange = await openKalshiMarket();
  const { tell, venue } = exchange;
  expect(await venue.account?.balanceMicros()).toBe(1_000_000_000n);
  // the emulator runs in this process, so its clock is moved the other way
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 });
  tell({ do: 'clock', aheadMs: -90_000 });
  expect(await venue.account?.balanceMicros()).toBe(1_000_000_000n);
});

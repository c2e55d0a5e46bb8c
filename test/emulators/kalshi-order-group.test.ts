/** The order group of Kalshi as a switch at the exchange: its limit, a stop of trading, and the way back. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { venueIdOf } from '../../src/trading/execution/venue-order-id.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { Venue } from '../../src/venues/port.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { newKalshiKey } from './kalshi-venue.ts';

const TICKER = 'KXTEST-26-T1';
let emulator: KalshiEmulator;
let settings: Parameters<typeof openKalshi>[2];
let venue: Venue;
const tell = (request: object) => emulator.control(controlRequest.parse(request));

beforeEach(async () => {
  emulator = await startKalshiEmulator();
  const file = newKalshiKey(emulator, 'k');
  tell({ do: 'market', ticker: TICKER, eventTicker: 'KXTEST-26', title: 'T', closeTime: '2099-01-01T00:00:00Z' });
  tell({ do: 'book', ticker: TICKER, yes: [], no: [['0.5500', '100.00']] });
  tell({ do: 'order_group', keyId: 'k', id: 'g1', contracts: '10.00' });
  settings = { ...VENUE_SETTINGS.kalshi, keyId: 'k', privateKeyFile: file, orderGroup: 'g1' };
  venue = openKalshi('kalshi', async () => emulator.url, settings);
});
afterEach(async () => {
  await venue.close();
  await emulator.close();
});

const buy = (contracts: number) =>
  venue.placeOrder(
    {
      ourId: venueIdOf(newId('ord')),
      listingId: TICKER,
      side: 'YES',
      action: 'BUY',
      quantityMicros: BigInt(contracts) * 1_000_000n,
      limitPriceMicros: 450_000n,
      expiresAt: new Date(Date.now() + 30_000),
    },
    () => true,
  );
/** How the exchange refuses such an order is not documented, so the answer decides nothing: the order is looked up. */
const undecided = async () => expect(await buy(1).catch((error: unknown) => error)).toMatchObject({ notTaken: false });

test('after the limit of contracts the exchange takes no order of the group until it is released', async () => {
  expect(await buy(6)).toMatchObject({ outcome: 'accepted' });
  expect(await buy(4)).toMatchObject({ outcome: 'accepted' });
  await undecided();
  await venue.account?.release?.();
  expect(await buy(1)).toMatchObject({ outcome: 'accepted' });
  expect(emulator.state.accounts.get('k')?.positions.get(TICKER)).toBe(11_000_000n);
});

test('halted, it takes none, whatever was matched', async () => {
  await venue.account?.halt?.();
  await undecided();
  await venue.account?.release?.();
  expect(await buy(1)).toMatchObject({ outcome: 'accepted' });
});

test('doctor names the limit, and a group that does not exist', async () => {
  const line = async (from: Venue) => (await from.account?.inspect?.())?.find(({ name }) => name === 'order group');
  expect(await line(venue)).toEqual({ name: 'order group', ok: true, detail: 'at most 10 contracts in 15 seconds' });
  const other = openKalshi('kalshi', async () => emulator.url, { ...settings, orderGroup: 'g2' });
  expect(await line(other)).toMatchObject({ ok: false, detail: expect.stringContaining('g2 does not exist') });
  await other.close();
  // without a group nothing is switched
  const plain = openKalshi('kalshi', async () => emulator.url, { ...settings, orderGroup: undefined });
  expect([plain.account?.halt, await line(plain)]).toEqual([undefined, undefined]);
  await plain.close();
});

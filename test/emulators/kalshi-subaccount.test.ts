/** Trading in a subaccount of Kalshi: its own cash, orders, positions and order group under the key of the whole account. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { Venue } from '../../src/venues/port.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { kalshiOrder, newKalshiKey } from './kalshi-venue.ts';

const TICKER = 'KXTEST-26-T1';
let emulator: KalshiEmulator;
let settings: Parameters<typeof openKalshi>[2];
let venue: Venue;
const tell = (request: object) => emulator.control(controlRequest.parse(request));

beforeEach(async () => {
  emulator = await startKalshiEmulator();
  const file = newKalshiKey(emulator, 'k');
  tell({ do: 'subaccount', keyId: 'k', number: 3, cash: '20' });
  tell({ do: 'market', ticker: TICKER, eventTicker: 'KXTEST-26', title: 'T', closeTime: '2099-01-01T00:00:00Z' });
  tell({ do: 'book', ticker: TICKER, yes: [], no: [['0.5500', '500.00']] });
  tell({ do: 'order_group', keyId: 'k', subaccount: 3, id: 'g3', contracts: '100.00' });
  settings = {
    ...VENUE_SETTINGS.kalshi,
    keyId: 'k',
    privateKeyFile: file,
    subaccount: 3,
    orderGroups: new Map([[0, 'g3']]),
  };
  venue = openKalshi('kalshi', async () => emulator.url, settings);
});
afterEach(async () => {
  await venue.close();
  await emulator.close();
});

const buy = (contracts: bigint) => {
  const order = kalshiOrder(TICKER, { quantityMicros: contracts * 1_000_000n });
  return { order, answer: venue.placeOrder(order, () => true) };
};
const held = (name: string) => emulator.state.accounts.get(name)?.positions.get(TICKER);

test('an order is paid and kept by the subaccount, and the account that is compared is that one', async () => {
  const { order, answer } = buy(10n);
  expect(await answer).toMatchObject({ outcome: 'accepted', order: { state: 'closed' } });
  expect([held('k/3'), held('k')]).toEqual([10_000_000n, undefined]);
  expect(await venue.findOrder(order.ourId)).toMatchObject({ outcome: 'found', order: { ourId: order.ourId } });
  const since = new Date(Date.now() - 60_000);
  expect(await venue.account?.ordersSince(since)).toMatchObject([{ ourId: order.ourId }]);
  expect(await venue.account?.fillsSince(since)).toMatchObject([{ ourId: order.ourId }]);
  const [cash] = (await venue.account?.parts?.()) ?? [];
  expect(cash?.balanceMicros).toBe(emulator.state.accounts.get('k/3')?.cash.get(0));
  // in the primary account there is nothing of it
  const primary = openKalshi('kalshi', async () => emulator.url, { ...settings, subaccount: 0 });
  expect(await primary.account?.ordersSince(since)).toEqual([]);
  await primary.close();
});

test('what the subaccount cannot pay is not bought with the money of another', async () => {
  expect(await buy(100n).answer).toMatchObject({ outcome: 'rejected' });
  expect([held('k/3'), held('k')]).toEqual([undefined, undefined]);
});

test('its order group is halted and released', async () => {
  const before = held('k/3');
  await venue.account?.halt?.();
  // how the exchange refuses it is not documented, so the answer decides nothing
  await expect(buy(1n).answer).rejects.toMatchObject({ name: 'VenueUnknown', notTaken: false });
  expect(held('k/3')).toBe(before);
  await venue.account?.release?.();
  expect(await buy(1n).answer).toMatchObject({ outcome: 'accepted' });
  const line = (await venue.account?.inspect?.())?.find(({ name }) => name === 'order group');
  expect(line?.ok).toBe(true);
});

test('an order that rests in the subaccount is cancelled there', async () => {
  const rested = kalshiOrder(TICKER);
  const account = emulator.state.accounts.get('k/3');
  await venue.placeOrder(rested, () => true);
  const resting = [...(account?.orders.values() ?? [])].find((one) => one.clientOrderId === rested.ourId);
  expect(resting).toBeDefined();
  if (resting !== undefined) {
    resting.status = 'resting';
    resting.filled = 0n;
  }
  await venue.cancelOrder(rested.ourId, rested);
  expect(resting?.status).toBe('canceled');
});

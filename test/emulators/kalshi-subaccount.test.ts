/** Trading in a subaccount of Kalshi: its own cash, orders, positions and order group under the key of the whole account. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import type { Venue } from '../../src/venues/port.ts';
import { type KalshiMarket, kalshiOrder, openKalshiMarket, TICKER } from './kalshi-venue.ts';

let exchange: KalshiMarket;
let emulator: KalshiEmulator;
let venue: Venue;
const tell = (request: object) => exchange.tell(request);
const orderGroups = new Map([[0, 'g3']]);

beforeEach(async () => {
  exchange = await openKalshiMarket();
  ({ emulator } = exchange);
  tell({ do: 'subaccount', keyId: 'k', number: 3, cash: '20' });
  tell({ do: 'book', ticker: TICKER, yes: [], no: [['0.5500', '500.00']] });
  tell({ do: 'order_group', keyId: 'k', subaccount: 3, id: 'g3', contracts: '100.00' });
  venue = exchange.open({ subaccount: 3, orderGroups });
});
afterEach(async () => {
  await venue.close();
  await exchange.close();
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
  const primary = exchange.open({ subaccount: 0, orderGroups });
  expect(await primary.account?.ordersSince(since)).toEqual([]);
  await primary.close();
});

/** The adapter with other settings, for one test. */
async function at<T>(subaccount: number | undefined, use: (other: Venue) => Promise<T>): Promise<T> {
  const other = exchange.open({ subaccount });
  try {
    return await use(other);
  } finally {
    await other.close();
  }
}
const doctor = (other: Venue) =>
  other.account?.inspect?.().then((all) => all.find(({ name }) => name === 'subaccount'));

test('without the setting, the account is the primary one, and orders and fills of others are none of it', async () => {
  await buy(10n).answer;
  tell({ do: 'status', ticker: TICKER, status: 'finalized', result: 'yes', settlementValue: '1.0000' });
  const since = new Date(Date.now() - 60_000);
  await at(undefined, async (primary) => {
    expect(await primary.account?.ordersSince(since)).toEqual([]);
    expect(await primary.account?.fillsSince(since)).toEqual([]);
    expect(await primary.account?.settledSince?.(since, [TICKER])).toEqual([]);
    expect(await doctor(primary)).toEqual({
      name: 'subaccount',
      ok: true,
      detail: 'trades in 0; orders, fills and settlements of others are left out',
    });
  });
  expect(await venue.account?.settledSince?.(since, [TICKER])).toEqual([TICKER]);
});

test('deposits and withdrawals are those of the primary account; what was sent back adds up to nothing', async () => {
  const start = new Date();
  start.setMilliseconds(0);
  tell({ do: 'deposit', keyId: 'k', id: 'd-1', amount: '250.00' });
  tell({ do: 'deposit', keyId: 'k', id: 'd-2', amount: '10.00', fee: '0.20' });
  tell({ do: 'deposit', keyId: 'k', id: 'd-3', amount: '99.00', status: 'pending' });
  tell({ do: 'deposit', keyId: 'k', id: 'd-4', amount: '98.00', status: 'returned' });
  tell({ do: 'deposit', keyId: 'k', id: 'd-5', amount: '97.00', status: 'failed' });
  tell({ do: 'withdrawal', keyId: 'k', id: 'w-1', amount: '40.00', fee: '2.00' });
  await at(undefined, async (primary) => {
    const listed = (await primary.account?.transfersSince?.(start)) ?? [];
    expect(listed.map(({ id, kind, amountMicros, pending }) => [id, kind, amountMicros, pending])).toEqual([
      ['d-1', 'deposit', 250_000_000n, false],
      ['d-2', 'deposit', 9_800_000n, false],
      ['d-3', 'deposit', 99_000_000n, true],
      ['d-4', 'deposit', 98_000_000n, false],
      ['deposit d-4', 'return', -98_000_000n, false],
      ['w-1', 'withdrawal', -42_000_000n, false],
    ]);
    expect(listed.every(({ at }) => at >= start)).toBe(true);
    const moved = listed.reduce(
      (sum, { amountMicros, pending }) => (pending ? sum : sum + amountMicros),
      1_000_000_000n,
    );
    expect(await primary.account?.balanceMicros()).toBe(moved);
  });
  expect(await venue.account?.transfersSince?.(start)).toEqual([]);
});

test('every page of the deposits is read; one whose status is not known is noted, and may be in the balance or not', async () => {
  for (let number = 0; number < 501; number += 1) {
    tell({ do: 'deposit', keyId: 'k', id: `d-${number}`, amount: '1.00' });
  }
  await at(undefined, async (primary) => {
    expect(await primary.account?.transfersSince?.(new Date(0))).toHaveLength(501);
    Object.assign(emulator.state.accounts.get('k')?.cashMoves[0] ?? {}, { status: 'clearing' });
    const listed = (await primary.account?.transfersSince?.(new Date(0))) ?? [];
    expect(listed.filter(({ pending }) => pending).map(({ id }) => id)).toEqual(['d-0']);
    expect(primary.unknowns?.()).toEqual([{ about: 'status of a deposit', word: 'clearing', seen: 1 }]);
  });
});

test('a key that is restricted to a subaccount trades there without the setting', async () => {
  Object.assign(emulator.state.accounts.get('k') ?? {}, { lockedTo: 3 });
  await at(undefined, async (locked) => {
    const order = kalshiOrder(TICKER);
    expect(await locked.placeOrder(order, () => true)).toMatchObject({ outcome: 'accepted' });
    expect([held('k/3'), held('k')]).toEqual([20_000_000n, undefined]);
    expect(await locked.account?.ordersSince(new Date(Date.now() - 60_000))).toMatchObject([{ ourId: order.ourId }]);
    expect(await doctor(locked)).toMatchObject({ ok: true, detail: 'trades in 3, to which the key is restricted' });
  });
  await at(0, async (wrong) => {
    await expect(wrong.placeOrder(kalshiOrder(TICKER), () => true)).rejects.toMatchObject({ notTaken: true });
    expect(await doctor(wrong)).toMatchObject({
      ok: false,
      detail: 'the key is restricted to 3, and INLAY_KALSHI_SUBACCOUNT is 0',
    });
  });
});

test('an order is not sent while the subaccount of the key cannot be read', async () => {
  await at(undefined, async (other) => {
    tell({ do: 'fault', on: 'GET /api_keys', fault: { kind: 'status', status: 500 } });
    await expect(other.placeOrder(kalshiOrder(TICKER), () => true)).rejects.toMatchObject({ notTaken: true });
    expect(await other.placeOrder(kalshiOrder(TICKER), () => true)).toMatchObject({ outcome: 'accepted' });
  });
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

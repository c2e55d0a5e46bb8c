/** The parts of Kalshi: an order is paid by the part where its market lives, and what that part cannot pay is not sent. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { OrderToPlace, Venue } from '../../src/venues/port.ts';
import { openPromisedFunds } from '../../src/venues/promised-funds.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { kalshiOrder, newKalshiKey } from './kalshi-venue.ts';

const CRYPTO = 'KXBTC-1';
const PLAIN = 'KXRAIN-1';
let emulator: KalshiEmulator;
let venue: Venue;

const tell = (request: object) => emulator.control(controlRequest.parse(request));
const setCash = (exchangeIndex: number, cash: string) => tell({ do: 'part_balance', keyId: 'k', exchangeIndex, cash });

beforeEach(async () => {
  emulator = await startKalshiEmulator();
  const privateKeyFile = newKalshiKey(emulator, 'k');
  for (const [ticker, exchangeIndex] of [
    [PLAIN, 0],
    [CRYPTO, 2],
  ] as const) {
    const eventTicker = ticker.split('-')[0];
    tell({ do: 'market', ticker, eventTicker, title: 'T', closeTime: '2099-01-01T00:00:00Z', exchangeIndex });
    tell({ do: 'book', ticker, yes: [['0.4000', '5000']], no: [['0.5500', '5000']] });
  }
  venue = openKalshi('kalshi', async () => emulator.url, { ...VENUE_SETTINGS.kalshi, keyId: 'k', privateKeyFile });
});
afterEach(async () => {
  await venue.close();
  await emulator.close();
});

const sent = () => emulator.state.accounts.get('k')?.orders.size;
const prepare = (order: OrderToPlace) => venue.prepareOrder?.(order);

test('the part of each market is read with its listing', async () => {
  const { events } = await venue.catalogue();
  const parts = events.flatMap(({ markets }) => markets.map(({ listingId, part }) => [listingId, part]));
  expect(Object.fromEntries(parts)).toEqual({ [PLAIN]: 0, [CRYPTO]: 2 });
});

test('the balance is read for each part, also for a key to which the exchange shows no breakdown', async () => {
  setCash(2, '12.50');
  const expected = [
    { part: 0, balanceMicros: 1_000_000_000n, paused: false },
    { part: 1, balanceMicros: 0n, paused: false },
    { part: 2, balanceMicros: 12_500_000n, paused: false },
    { part: 3, balanceMicros: 0n, paused: false },
  ];
  expect(await venue.account?.parts?.()).toEqual(expected);
  const all = { balance: 101_250, balance_dollars: '1012.5000', portfolio_value: 0, updated_ts: 1 };
  tell({ do: 'fault', on: 'GET /portfolio/balance', fault: { kind: 'status', status: 200, body: all } });
  expect(await venue.account?.parts?.()).toEqual(expected);
});

test('the exchange refuses an order that its part cannot pay, whatever the account has elsewhere', async () => {
  expect(await venue.placeOrder(kalshiOrder(CRYPTO), () => true)).toMatchObject({ reason: 'insufficient_balance' });
  expect(await venue.placeOrder(kalshiOrder(PLAIN), () => true)).toMatchObject({ outcome: 'accepted' });
});

test('an order that its part cannot pay is found out before it is sent; a sale needs no money', async () => {
  const order = kalshiOrder(CRYPTO, { part: 2 });
  expect(await prepare(order)).toEqual({ unfit: 'unpaid' });
  expect(await prepare({ ...order, action: 'SELL' })).toBeNull();
  expect(await prepare(kalshiOrder(PLAIN, { part: 0 }))).toBeNull();
  // 20 contracts at 0.46 cost 9.20, and the highest fee is 0.35
  setCash(2, '9.54');
  expect(await prepare(order)).toEqual({ unfit: 'unpaid' });
  setCash(2, '9.55');
  expect(await prepare(order)).toBeNull();
  // a market whose part is not known
  setCash(2, '0');
  const { part: _, ...unknown } = kalshiOrder(CRYPTO, { part: 2 });
  expect(await prepare(unknown)).toEqual({ unfit: 'unpaid' });
  expect(sent()).toBe(0);
});

test('orders that are prepared at the same time share what the part has', async () => {
  setCash(2, '20.00');
  const orders = [1, 2, 3].map(() => kalshiOrder(CRYPTO, { part: 2 }));
  const prepared = await Promise.all(orders.map(prepare));
  expect(prepared.filter((one) => one === null)).toHaveLength(2);
  // the third may be paid after the answer to another freed money
  const [first] = orders.filter((_, index) => prepared[index] === null) as [OrderToPlace];
  expect(await venue.placeOrder({ ...first, limitPriceMicros: 10_000n }, () => true)).toMatchObject({
    outcome: 'accepted',
  });
  expect(await prepare(kalshiOrder(CRYPTO, { part: 2 }))).toBeNull();
});

test('an order that rests on another part than 0 is cancelled there', async () => {
  setCash(2, '100');
  const order = kalshiOrder(CRYPTO);
  tell({ do: 'fault', on: 'POST /portfolio/events/orders', fault: { kind: 'partial', count: '5.00' } });
  await venue.placeOrder(order, () => true);
  const [resting] = emulator.state.accounts.get('k')?.orders.values() ?? [];
  if (resting !== undefined) {
    resting.status = 'resting';
  }
  await venue.cancelOrder(order.ourId, order);
  expect(resting?.status).toBe('canceled');
});

test('a pause of one part pauses nothing else', async () => {
  tell({ do: 'trading', active: false, exchangeIndex: 2 });
  expect(await venue.account?.tradingPaused?.()).toBe(false);
  expect((await venue.account?.parts?.())?.filter(({ paused }) => paused).map(({ part }) => part)).toEqual([2]);
  tell({ do: 'trading', active: false, exchangeIndex: 0 });
  expect(await venue.account?.tradingPaused?.()).toBe(false);
  tell({ do: 'trading', active: false });
  expect(await venue.account?.tradingPaused?.()).toBe(true);
});

test('what is under way counts until a balance that was asked for after its answer', async () => {
  let now = 0;
  let balance = 10n;
  let asked = 0;
  const funds = openPromisedFunds(
    () => now,
    async () => {
      asked += 1;
      return balance;
    },
  );
  expect(await funds.promise('2', 'a', 6n)).toBe(true);
  expect([await funds.promise('2', 'b', 4n), asked]).toEqual([true, 1]);
  expect(await funds.promise('2', 'c', 1n)).toBe(false);
  // the same order is counted once
  expect(await funds.promise('2', 'a', 6n)).toBe(true);
  now = 3_000;
  funds.answered('a');
  balance = 4n;
  now = 3_001;
  expect([await funds.promise('2', 'd', 1n), await funds.promise('0', 'e', 4n)]).toEqual([false, true]);
  funds.answered('b');
  balance = 4n;
  now = 6_000;
  expect(await funds.promise('2', 'd', 4n)).toBe(true);
  // an order that was never sent gives its promise back
  now = 40_000;
  expect(await funds.promise('2', 'f', 4n)).toBe(true);
});

test('a balance serves for five seconds, since others spend from the account too', async () => {
  let now = 0;
  let balance = 10n;
  const funds = openPromisedFunds(
    () => now,
    async () => balance,
  );
  expect(await funds.promise('2', 'a', 1n)).toBe(true);
  funds.answered('a');
  balance = 0n;
  now = 4_999;
  expect(await funds.promise('2', 'b', 1n)).toBe(true);
  now = 5_000;
  expect(await funds.promise('2', 'c', 1n)).toBe(false);
});

test('orders that need a newer balance at the same time share one request for it', async () => {
  const answers: ((micros: bigint) => void)[] = [];
  const funds = openPromisedFunds(
    () => 0,
    () => new Promise((resolve) => answers.push(resolve)),
  );
  const both = [funds.promise('2', 'early', 5n), funds.promise('2', 'late', 5n)];
  expect(answers).toHaveLength(1);
  answers[0]?.(9n);
  expect(await Promise.all(both)).toEqual([true, false]);
});

test('after a response the balance is read beside the orders, at most once a second', async () => {
  vi.useFakeTimers();
  try {
    let asked = 0;
    const funds = openPromisedFunds(
      () => Date.now(),
      async () => {
        asked += 1;
        return 100n;
      },
    );
    for (let order = 0; order < 40; order += 1) {
      expect(await funds.promise('2', `o${order}`, 1n)).toBe(true);
      await vi.advanceTimersByTimeAsync(100);
      funds.answered(`o${order}`);
    }
    // four seconds of orders
    expect(asked).toBeGreaterThanOrEqual(4);
    expect(asked).toBeLessThanOrEqual(5);
    await vi.advanceTimersByTimeAsync(3_000);
    const before = asked;
    expect(await funds.promise('2', 'three seconds later', 1n)).toBe(true);
    expect(asked).toBe(before);
  } finally {
    vi.useRealTimers();
  }
});

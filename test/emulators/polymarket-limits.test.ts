/** The exchange's own count of our orders and cancellations: what its answers say of it lowers what the worker sends. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRequestBudget } from '../../src/core/request-budget.ts';
import type { RequestsLeft, VenueUnknown } from '../../src/venues/port.ts';
import { openPolymarketExchange, orderOf, type PolymarketExchange, prepare } from './polymarket-venue.ts';

let exchange: PolymarketExchange;
let told: RequestsLeft[];
beforeEach(async () => {
  exchange = await openPolymarketExchange();
  told = [];
  exchange.venue.onRequestsLeft?.((left) => told.push(left));
});
afterEach(() => exchange.close());

const limits = (atOnce: number, enforced = false) =>
  exchange.tell({
    do: 'limits',
    orders: { perSecond: 0.1, atOnce },
    cancels: { perSecond: 0.1, atOnce: 1 },
    enforced,
  });
const place = async () => {
  const one = await prepare(exchange.venue, orderOf(exchange, { spendMicros: 2_300_000n, quantityMicros: 5_000_000n }));
  await exchange.venue.placeOrder(one, () => true);
  return one;
};

test('each answer to an order says how many more the exchange takes', async () => {
  limits(3);
  await place();
  await place();
  // the second that is named for an order that was taken is no reason to wait
  expect(told).toEqual([
    { kind: 'send', left: 2, waitMs: 0 },
    { kind: 'send', left: 1, waitMs: 0 },
  ]);
});

test('cancellations are counted apart', async () => {
  limits(3);
  exchange.emulator.faults.arm({ kind: 'delayed', ms: 60_000 }, 'POST /order');
  const one = await place();
  await exchange.venue.cancelOrder(one.ourId, one);
  expect(told).toEqual([
    { kind: 'send', left: 2, waitMs: 0 },
    { kind: 'cancel', left: 0, waitMs: expect.any(Number) },
  ]);
});

test('after the last order that the exchange takes, nothing is sent before the second that it names', async () => {
  limits(2);
  await place();
  await place();
  expect(told.map(({ left }) => left)).toEqual([1, 0]);
  // the next order is taken in nearly ten seconds
  expect(told[0]?.waitMs).toBe(0);
  expect(told[1]?.waitMs).toBeGreaterThan(8_000);
  let now = 0;
  const budget = createRequestBudget(exchange.venue.limits, () => now);
  budget.heed('send', told[1]?.left ?? 1, told[1]?.waitMs ?? 0);
  now = 8_000;
  expect([budget.spend('send'), budget.spend('cancel')]).toEqual([false, true]);
  now = 12_000;
  expect(budget.spend('send')).toBe(true);
});

test('a warning is waited for as a refusal would be, and noted', async () => {
  limits(1);
  await place();
  await place();
  expect(told.at(-1)).toMatchObject({ kind: 'send', left: -1 });
  // one order in ten seconds, and the second is rounded up
  expect(told.at(-1)?.waitMs).toBeGreaterThan(9_000);
  expect(exchange.venue.unknowns?.()).toEqual([{ about: 'rate limit warning', word: 'send', seen: 1 }]);
});

test('an order that is refused as one too many was not taken, and says how long to wait', async () => {
  limits(1, true);
  await place();
  const refused = (await place().catch((error: unknown) => error)) as VenueUnknown;
  expect([refused.status, refused.notTaken]).toEqual([429, true]);
  expect(refused.retryAfterMs).toBeGreaterThan(8_000);
  expect(exchange.account.orders.size).toBe(1);
});

test('the budget sends no more of a kind than was said, and look-ups go on', () => {
  let now = 0;
  const budget = createRequestBudget(exchange.venue.limits, () => now);
  budget.heed('send', 2, 0);
  expect(budget.left('send')).toBe(2);
  expect(budget.spend('send')).toBe(true);
  expect(budget.spend('send')).toBe(true);
  expect(budget.spend('send')).toBe(false);
  // a second brings forty more
  now = 1_000;
  expect(budget.spend('send')).toBe(true);
  budget.heed('send', -1, 5_000);
  now = 3_000;
  expect([budget.spend('send'), budget.spend('look_up'), budget.spend('cancel')]).toEqual([false, true, true]);
  now = 6_100;
  expect(budget.spend('send')).toBe(true);
});

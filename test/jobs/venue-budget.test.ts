/** One budget of requests a venue, look-ups before sends, and a venue that asks to be left alone is. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRequestBudget, oneBucket, type RequestKind, ratePerSecond } from '../../src/core/request-budget.ts';
import { listVenueFacts } from '../../src/trading/account/venue-facts.ts';
import { heed } from '../../src/trading/execution/send-gate.ts';
import { VenueUnknown } from '../../src/venues/port.ts';
import { OPEN_GATE, ScriptedVenue } from '../support/scripted-venue.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
let user = 0;

beforeAll(async () => {
  live = await openLive({ job: false, keepTrading: true });
  tenant = await live.tenant({ collateralMinor: 10_000_000n });
});
afterAll(() => live.close());

async function waiting(): Promise<string> {
  user += 1;
  const { orderId } = (await tenant.place(`player-${user}`)).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  return orderId;
}

test('a budget keeps parts for look-ups and cancellations, fills up steadily and is shared by the workers', () => {
  let now = 0;
  const budget = createRequestBudget(oneBucket(10), () => now);
  const spent = (kind: RequestKind) => Array.from({ length: 10 }, () => budget.spend(kind)).filter(Boolean).length;
  expect([spent('send'), spent('cancel'), spent('look_up'), spent('look_up')]).toEqual([7, 1, 2, 0]);
  now = 10_000;
  expect([budget.left('look_up'), budget.left('cancel'), budget.left('send')]).toEqual([10, 8, 7]);
  budget.share(5);
  expect(budget.left('look_up')).toBe(2);
  budget.share(1_000);
  now = 10_000_000;
  expect(budget.spend('send')).toBe(true);
});

test("by the venue's own limits, sends leave enough for look-ups; and what it refuses waits with what shares its bucket", () => {
  let now = 0;
  const limits = [
    { perSecond: 150, burst: 300, costs: { look_up: 40, cancel: 20, send: 30 } },
    { perSecond: 100, burst: 100, costs: { cancel: 2, send: 10 } },
  ];
  expect([ratePerSecond(limits, 'send'), ratePerSecond(limits, 'look_up')]).toEqual([5, 3]);
  const budget = createRequestBudget(limits, () => now);
  while (budget.spend('send')) {
    // until there is nothing left for sends
  }
  expect([budget.left('send'), budget.left('look_up')]).toEqual([0, 2]);
  now = 60_000;
  budget.hold('send', null);
  expect([budget.left('send'), budget.left('cancel'), budget.left('look_up')]).toEqual([0, 0, 0]);
  const separate = createRequestBudget([{ perSecond: 40, burst: 60, costs: { send: 1 } }], () => now);
  separate.hold('send', null);
  now += 1_000;
  expect(separate.left('send')).toBe(60);
  // refused again: twice as long
  separate.hold('send', null);
  now += 1_000;
  expect(separate.left('send')).toBe(0);
  now += 1_000;
  expect(separate.left('send')).toBe(60);
});

// contract 19.8
test('one 429 that asks for a day holds look-ups and sends for two minutes, and a further one renews it', () => {
  let now = 0;
  const budget = createRequestBudget(oneBucket(10), () => now);
  const gate = { ...OPEN_GATE, hold: (_: string, kind: RequestKind, ms: number | null) => budget.hold(kind, ms) };
  const refused = new VenueUnknown('kalshi', 'status 429', { status: 429, retryAfterMs: 86_400_000 });
  heed(gate, 'kalshi', 'look_up', refused);
  const left = () => [budget.left('look_up') > 0, budget.left('send') > 0];
  now = 119_000;
  expect(left()).toEqual([false, false]);
  now = 121_000;
  expect(left()).toEqual([true, true]);
  heed(gate, 'kalshi', 'send', refused);
  now = 240_000;
  expect(left()).toEqual([false, false]);
  now = 242_000;
  expect(left()).toEqual([true, true]);
});

test('limits that a venue raises or lowers hold from then on, without a gift of tokens', () => {
  let now = 0;
  const of = (perSecond: number) => [{ perSecond, burst: perSecond * 2, costs: { send: 1 } }];
  const budget = createRequestBudget(of(10), () => now);
  while (budget.spend('send')) {
    // until there is nothing left
  }
  budget.adopt(of(100));
  expect(budget.left('send')).toBe(0);
  now += 1_000;
  expect(budget.left('send')).toBe(100);
  now += 10_000;
  expect(budget.left('send')).toBe(200);
  budget.adopt(of(10));
  expect(budget.left('send')).toBe(20);
});

// contract 18.16
test('orders wait for the budget, and none is lost or refused for it', async () => {
  const venue = new ScriptedVenue();
  venue.limits = oneBucket(4);
  const orders = await Promise.all(Array.from({ length: 9 }, waiting));
  const started = performance.now();
  const job = await live.startJob(venue);
  try {
    await until(
      () => Promise.all(orders.map((orderId) => tenant.read(orderId))),
      (all) => all.every(({ status }) => status === 'filled'),
      30_000,
    );
    // as `venues list` shows it
    const facts = await until(
      () => listVenueFacts(live.sql),
      (all) => all.some(({ name, requestsLeft }) => name === 'paper' && requestsLeft !== null),
    );
    const left = facts.find(({ name }) => name === 'paper')?.requestsLeft ?? -1;
    expect(left >= 0 && left <= 4).toBe(true);
    // two at once and four a second after that; without a budget all nine go out together
    expect(performance.now() - started).toBeGreaterThan(1_500);
  } finally {
    await job.close();
  }
}, 60_000);

test('look-ups get through while sends have used up their part', async () => {
  const venue = new ScriptedVenue();
  venue.limits = oneBucket(4);
  const lookedUpAt: number[] = [];
  const sentAt: number[] = [];
  const find = venue.findOrder.bind(venue);
  venue.findOrder = async (ourId) => {
    lookedUpAt.push(performance.now());
    return find(ourId);
  };
  venue.script = (order, self) => {
    sentAt.push(performance.now());
    // it works on, so it is looked up again and again
    return sentAt.length <= 2 ? self.accept(order, [], 'working') : self.fillWhole(order);
  };
  const orders = await Promise.all(Array.from({ length: 12 }, waiting));
  const job = await live.startJob(venue);
  try {
    await until(
      () => Promise.all(orders.map((orderId) => tenant.read(orderId))),
      (all) => all.filter(({ status }) => status === 'filled').length === 10,
      50_000,
    );
    // while others still waited to be sent
    expect(lookedUpAt.filter((at) => at < (sentAt.at(-2) ?? 0)).length).toBeGreaterThan(2);
  } finally {
    await job.close();
  }
}, 60_000);

test('after 429 of a send only what shares its limit waits', async () => {
  const venue = new ScriptedVenue();
  venue.limits = [
    { perSecond: 100, burst: 100, costs: { look_up: 1 } },
    { perSecond: 100, burst: 100, costs: { cancel: 1, send: 1 } },
  ];
  const working = await waiting();
  let refusedAt = 0;
  venue.script = (order, self) => {
    if (venue.orders.size === 0) {
      return self.accept(order, [], 'working');
    }
    refusedAt ||= performance.now();
    if (performance.now() - refusedAt < 1) {
      throw new VenueUnknown('paper', 'status 429', { notTaken: true, status: 429, retryAfterMs: 4_000 });
    }
    return self.fillWhole(order);
  };
  const job = await live.startJob(venue);
  try {
    await until(
      () => tenant.read(working),
      (order) => order.status === 'submitted',
    );
    const refused = await waiting();
    await until(
      () => tenant.read(refused),
      (order) => order.rejectReason === 'venue_unavailable',
    );
    const [before, next] = [venue.lookups, await waiting()];
    await until(
      () => tenant.read(next),
      (order) => order.status === 'filled',
      20_000,
    );
    expect(performance.now() - refusedAt).toBeGreaterThan(3_900);
    expect(venue.lookups).toBeGreaterThan(before);
  } finally {
    await job.close();
  }
}, 60_000);

test('after 429 with Retry-After the venue is left alone for that long; what waits is sent then', async () => {
  const venue = new ScriptedVenue();
  let refusals = 0;
  venue.script = (order, self) => {
    if (refusals === 0) {
      refusals += 1;
      throw new VenueUnknown('paper', 'status 429', { notTaken: true, retryAfterMs: 3_000 });
    }
    return self.fillWhole(order);
  };
  const job = await live.startJob(venue);
  try {
    const refused = await waiting();
    await until(
      () => tenant.read(refused),
      (order) => order.rejectReason === 'venue_unavailable',
    );
    const since = performance.now();
    const orderId = await waiting();
    await until(
      () => tenant.read(orderId),
      (order) => order.status === 'filled',
      20_000,
    );
    expect(performance.now() - since).toBeGreaterThan(2_000);
    expect(venue.received.size).toBe(2);
  } finally {
    await job.close();
  }
}, 60_000);

test('each part of a receiver has a bucket of its own, beside what its parts share', () => {
  let now = 0;
  const write = { perSecond: 10, burst: 10, costs: { send: 5 }, eachPart: true };
  const budget = createRequestBudget([{ perSecond: 100, burst: 30, costs: { send: 6 } }, write], () => now);
  const sent = (part?: number) => Array.from({ length: 3 }, () => budget.spend('send', part));
  expect(sent(0)).toEqual([true, true, false]);
  expect(budget.left('send')).toBe(0);
  // part 2 pays for itself, until what is shared is used up
  expect(sent(2)).toEqual([true, true, false]);
  now = 60;
  expect(budget.spend('send', 3)).toBe(true);
  // what is shared is held with the part that was refused, a bucket of another part is not
  const parts = createRequestBudget([write], () => now);
  parts.spend('send', 0);
  parts.hold('send', 500, 2);
  expect([parts.spend('send', 2), parts.spend('send', 0), parts.held('send')]).toEqual([false, true, false]);
  parts.hold('send', 500, 0);
  expect(parts.held('send')).toBe(true);
});

/** One budget of requests a venue, look-ups before sends, and a venue that asks to be left alone is. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRequestBudget } from '../../src/core/net/request-budget.ts';
import { listVenueFacts } from '../../src/trading/account/venue-status.ts';
import { VenueUnknown } from '../../src/venues/port.ts';
import { type Live, startLive, type Tenant } from '../support/live.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import { until } from '../support/until.ts';

let live: Live;
let tenant: Tenant;
let user = 0;

beforeAll(async () => {
  live = await startLive({ job: false, keepTrading: true });
  tenant = await live.tenant({ collateralMinor: 10_000_000n });
});
afterAll(() => live.close());

async function waiting(): Promise<string> {
  user += 1;
  const { orderId } = (await tenant.place(`player-${user}`)).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  return orderId;
}

test('live 12: a budget keeps a part for look-ups, fills up steadily and is shared by the workers', () => {
  let now = 0;
  const budget = createRequestBudget(10, () => now);
  expect(Array.from({ length: 10 }, () => budget.spend(false)).filter(Boolean)).toHaveLength(7);
  expect([budget.left(), budget.spend(true), budget.spend(false)]).toEqual([3, true, false]);
  now = 10_000;
  expect(budget.left()).toBe(10);
  budget.share(5);
  expect(budget.left()).toBe(2);
});

test('live 12: orders wait for the budget, and none is lost or refused for it', async () => {
  const venue = new ScriptedVenue();
  venue.requestsPerSecond = 4;
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
      () => listVenueFacts(live.service.sql),
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

test('live 12: after 429 with Retry-After the venue is left alone for that long; what waits is sent then', async () => {
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

/** Time limits of attempts are the database's clock, and a worker whose clock is wrong sends nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { onlyVenues } from '../support/scripted-venue.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
let user = 0;

beforeAll(async () => {
  live = await openLive({ job: false });
  tenant = await live.tenant();
});
afterAll(() => live.close());

async function waiting(): Promise<string> {
  user += 1;
  const { orderId } = (await tenant.place(`player-${user}`)).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  return orderId;
}

async function startAhead(ms: number): Promise<{ close(): Promise<void> }> {
  const clock = { now: () => new Date(Date.now() + ms) };
  const context = openContext(live.context.environment, live.database.url, 'worker', clock);
  const job = await startTransmission(context, onlyVenues(live.venue));
  return {
    close: async () => {
      await job.close();
      await context.close();
    },
  };
}

async function attemptOf(orderId: string) {
  const [row] = await live.sql`select lookups, not_found from transmissions where order_id = ${orderId}`;
  return row;
}

// contract 18.15
test('a worker that is two minutes ahead neither sends nor gives up what another sent', async () => {
  live.venue.script = (_, venue) => venue.silence();
  const sender = await live.startJob();
  const sent = await waiting();
  await until(
    () => tenant.read(sent),
    (order) => order.status === 'submitted',
  );
  await sender.close();
  const ahead = await startAhead(120_000);
  try {
    const held = await waiting();
    await timePasses(6_000);
    expect(await tenant.read(held)).toMatchObject({ status: 'pending_venue_execution' });
    expect(await live.sentOf(held)).toEqual([]);
    await until(async () => expect((await attemptOf(sent))?.['lookups']).toBeGreaterThan(1));
    expect((await attemptOf(sent))?.['notFound']).toBe(0);
    expect(await tenant.read(sent)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
    await tenant.cancel(held);
  } finally {
    await ahead.close();
  }
}, 60_000);

// contract 18.8
test('"not found" is no answer to a worker whose clock disagrees, however long ago the send expired', async () => {
  live.venue.script = (_, venue) => venue.silence();
  const sender = await live.startJob();
  const sent = await waiting();
  await until(
    () => tenant.read(sent),
    (order) => order.status === 'submitted',
  );
  await sender.close();
  await live.sql`
    update transmissions set sent_at = sent_at - interval '100 seconds', expires_at = expires_at - interval '100 seconds',
      lookups = 0, not_found = 0, next_lookup_at = now() where order_id = ${sent}`;
  const ahead = await startAhead(120_000);
  try {
    for (const looked of [1, 2, 3, 4]) {
      await until(
        () => attemptOf(sent),
        (attempt) => attempt?.lookups >= looked,
      );
      expect(await attemptOf(sent)).toMatchObject({ notFound: 0 });
      await live.sql`update transmissions set next_lookup_at = now() where order_id = ${sent}`;
    }
    expect(await tenant.read(sent)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  } finally {
    await ahead.close();
  }
  const right = await live.startJob();
  try {
    await live.sql`update transmissions set next_lookup_at = now() where order_id = ${sent}`;
    await until(
      () => attemptOf(sent),
      (attempt) => attempt?.notFound > 0,
      20_000,
    );
  } finally {
    await right.close();
  }
}, 60_000);

// contract 18.15
test('nothing is sent to a venue whose clock is more than two seconds away', async () => {
  live.venue.script = (order, venue) => venue.fillWhole(order);
  live.venue.clockAheadMs = -10_000;
  const job = await live.startJob();
  try {
    const orderId = await waiting();
    await timePasses(2_500);
    expect(await tenant.read(orderId)).toMatchObject({ status: 'pending_venue_execution' });
    live.venue.clockAheadMs = 0;
    await until(
      () => tenant.read(orderId),
      (order) => order.status === 'filled',
      20_000,
    );
  } finally {
    await job.close();
  }
}, 60_000);

test('once "not found" counts, the three look-ups are five seconds apart, however many went before', async () => {
  live.venue.script = (_, venue) => venue.silence();
  const job = await live.startJob();
  try {
    const orderId = await waiting();
    await until(
      () => tenant.read(orderId),
      (order) => order.status === 'submitted',
    );
    // eighty-five seconds pass, with the look-ups that they hold
    await live.sql`
      update transmissions set sent_at = sent_at - interval '85 seconds', expires_at = expires_at - interval '85 seconds', lookups = 9,
        next_lookup_at = now() where order_id = ${orderId}`;
    const order = await until(
      () => tenant.read(orderId),
      (one) => one.status === 'rejected',
      40_000,
    );
    expect(order.rejectReason).toContain('never_received');
    const [row] = await live.sql<{ held: number }[]>`
      select extract(epoch from o.updated_at - t.sent_at)::float8 as held
      from transmissions t join orders o using (operator_id, order_id) where t.order_id = ${orderId}`;
    expect(row?.held).toBeGreaterThan(100);
    expect(row?.held).toBeLessThan(120);
  } finally {
    await job.close();
  }
}, 90_000);

// contract 18.13
test('an order that still works ten seconds after its expiry is cancelled there, and the answer recorded', async () => {
  live.venue.script = (order, venue) => venue.accept(order, [1_000_000n], 'working');
  let cancels = 0;
  live.venue.cancelOrder = async (ourId) => {
    cancels += 1;
    live.venue.change(ourId, { state: 'closed' });
    return live.venue.findOrder(ourId);
  };
  const job = await live.startJob();
  try {
    const orderId = await waiting();
    await until(
      () => tenant.read(orderId),
      (order) => order.status === 'partially_filled',
    );
    expect(cancels).toBe(0);
    await live.sql`
      update transmissions set sent_at = sent_at - interval '45 seconds', expires_at = expires_at - interval '45 seconds', next_lookup_at = now()
      where order_id = ${orderId}`;
    const order = await until(
      () => tenant.read(orderId),
      (one) => one.settlementState === 'settled',
      20_000,
    );
    expect(order).toMatchObject({ status: 'partially_filled', filledQuantity: 1, transmissionState: 'resolved' });
    expect(cancels).toBe(1);
    expect(await tenant.audit()).toEqual([]);
  } finally {
    await job.close();
  }
}, 60_000);

test('a working order is asked about ever more rarely', async () => {
  live.venue.script = (order, venue) => venue.accept(order, [], 'working');
  const job = await live.startJob();
  try {
    await waiting();
    const before = live.venue.lookups;
    await timePasses(8_000);
    // after 0.5, 1, 2 and 4 seconds; every half a second there would be sixteen
    expect(live.venue.lookups - before).toBeLessThan(8);
  } finally {
    await job.close();
  }
}, 60_000);

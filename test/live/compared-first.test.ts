/** An order waits until our account at its venue was compared with the books, however long that takes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

/** The clocks are measured, and the sender has looked for due orders several times. */
const LOOKED_MS = 4_000;

let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive({ job: false });
  tenant = await live.tenant();
});
afterAll(() => live.close());

test('nothing is sent while the account at the venue is still being compared', {
  timeout: 60_000,
  tags: 'proof',
}, async () => {
  const { orderId } = (await tenant.place('ana')).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  const { account } = live.venue;
  const { ordersSince } = account;
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  Object.assign(account, {
    ordersSince: async (since: Date) => {
      asked.resolve();
      await answered.promise;
      return ordersSince(since);
    },
  });
  const job = await live.startJob();
  try {
    await asked.promise;
    await timePasses(LOOKED_MS);
    expect(live.venue.received.size).toBe(0);
    expect(await tenant.read(orderId)).toMatchObject({ status: 'pending_venue_execution' });
    answered.resolve();
    await until(
      () => tenant.read(orderId),
      (order) => order.status === 'filled',
      30_000,
    );
  } finally {
    answered.resolve();
    await job.close();
  }
});

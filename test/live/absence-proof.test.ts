/**
 * "Not found" where no other order of ours was read in the same answer: the account's position or its list of orders has to prove
 * that the look-up works.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSentOrders } from '../support/sent-orders.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
beforeAll(async () => {
  live = await openLive({ keepTrading: true });
  tenant = await live.tenant();
  live.venue.readsOthers = false;
});
afterAll(() => live.close());
beforeEach(() => {
  live.venue.script = (_, venue) => venue.silence();
  Object.assign(live.venue.account, { ordersSince: async () => [] });
});

const { send, ended, due, attempt, asked, holds } = createSentOrders(
  () => live,
  () => tenant,
);

/** The venue never got it, and answers no look-up with it. */
async function forget(): Promise<string> {
  const { orderId } = await send();
  await until(
    () => attempt(orderId),
    (one) => one?.state === 'unknown',
  );
  return orderId;
}

const expire = (orderId: string, seconds: number) =>
  live.sql`update transmissions set expires_at = now() - make_interval(secs => ${seconds}) where order_id = ${orderId}`;

// contract 18.8
test('the order ends if the account holds what the books hold without it', async () => {
  const orderId = await forget();
  await expire(orderId, 61);
  await asked(orderId);
  await asked(orderId);
  await due(orderId);
  expect(await ended(orderId)).toMatchObject({ status: 'rejected' });
  expect(await tenant.audit()).toEqual([]);
});

// contract 18.8
test('it stays unknown if the account holds more, although no look-up finds it', { tags: 'proof' }, async () => {
  live.venue.script = (order) => {
    live.venue.fillWhole(order);
    return live.venue.silence();
  };
  const find = live.venue.findOrder;
  live.venue.findOrder = async () => ({ outcome: 'not_found' });
  const { orderId } = await send();
  await expire(orderId, 61);
  for (let look = 0; look < 5; look += 1) {
    await asked(orderId);
  }
  expect((await attempt(orderId))?.notFound).toBe(0);
  await holds(orderId);
  live.venue.findOrder = find;
  await due(orderId);
  expect((await ended(orderId)).status).toBe('filled');
});

// contract 18.8
test('where an order may be listed without our id, it stays unknown if the account holds more, whatever else the look-up reads', async () => {
  const orderId = await forget();
  await expire(orderId, 61);
  await counted(orderId);
  Object.assign(live.venue, { readsOthers: true, mayOmitOurId: true });
  const { positions } = live.venue.account;
  const [row] = await live.sql<{ listingId: string }[]>`
    select listing_id from transmissions where order_id = ${orderId}`;
  const more = { listingId: row?.listingId ?? '', side: 'YES', quantityMicros: 1_000_000n };
  Object.assign(live.venue.account, { positions: async () => [more] });
  for (let look = 0; look < 4; look += 1) {
    await asked(orderId);
    expect((await attempt(orderId))?.notFound).toBe(0);
  }
  Object.assign(live.venue.account, { positions });
  Object.assign(live.venue, { readsOthers: false, mayOmitOurId: false });
  await counted(orderId);
});

/** Asks until it counts, which it does not before the clocks are known to agree. */
async function counted(orderId: string): Promise<void> {
  await until(
    async () => {
      await asked(orderId);
      return (await attempt(orderId))?.notFound ?? 0;
    },
    (count) => count > 0,
    20_000,
  );
}

// contract 18.8
test("it stays unknown while the venue's lists are not current as of ten seconds after the expiry", async () => {
  const orderId = await forget();
  const expiredAt = Date.now() - 61_000;
  let lists = async () => new Date(expiredAt + 11_000);
  Object.assign(live.venue.account, { listsAsOf: () => lists() });
  await expire(orderId, 61);
  await counted(orderId);
  lists = async () => new Date(expiredAt + 9_000);
  await asked(orderId);
  expect((await attempt(orderId))?.notFound).toBe(0);
  lists = async () => live.venue.silence();
  await asked(orderId);
  expect((await attempt(orderId))?.notFound).toBe(0);
  Object.assign(live.venue.account, { listsAsOf: undefined });
  await counted(orderId);
});

test('it stays unknown while an order of the opposite direction is under way in the contract', async () => {
  const [first, second] = [await forget(), await forget()];
  await expire(first, 61);
  await counted(first);
  await live.sql`update transmissions set side = 'NO' where order_id = ${second}`;
  await asked(first);
  expect((await attempt(first))?.notFound).toBe(0);
  await live.sql`update transmissions set side = 'YES' where order_id = ${second}`;
});

test('orders that were all lost do not keep each other unknown', async () => {
  const [first] = [await forget(), await forget()];
  await expire(first, 61);
  await counted(first);
  await asked(first);
  await due(first);
  expect(await ended(first)).toMatchObject({ status: 'rejected' });
  expect(await tenant.audit()).toEqual([]);
});

test('it stays unknown once the venue has paid the contract, whatever the books know of the result', async () => {
  const orderId = await forget();
  await expire(orderId, 61);
  await counted(orderId);
  const [row] = await live.sql<{ listingId: string }[]>`
    select listing_id from transmissions where order_id = ${orderId}`;
  Object.assign(live.venue.account, { settledSince: async () => [row?.listingId] });
  await asked(orderId);
  expect((await attempt(orderId))?.notFound).toBe(0);
  Object.assign(live.venue.account, { settledSince: undefined });
});

// contract 18.8
test('where the position proves nothing, another order of ours in the list of the account does', async () => {
  const orderId = await forget();
  Object.assign(live.venue.account, {
    settledSince: async () => ['listing'],
    positions: async () => live.venue.silence(),
  });
  await expire(orderId, 61);
  await asked(orderId);
  await asked(orderId);
  expect((await attempt(orderId))?.notFound).toBe(0);
  const other = { ...[...live.venue.orders.values()][0], ourId: 'att_0123456789ab_other' };
  Object.assign(live.venue.account, { ordersSince: async () => [other] });
  await counted(orderId);
  await asked(orderId);
  await due(orderId);
  expect(await ended(orderId)).toMatchObject({ status: 'rejected' });
});

/** Orders at the emulated Kalshi whose answer is lost, while its list of orders does not show them: what "not found" proves. */
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { startLiveKalshi, TICKER } from './live-exchange.ts';

const SLOWEST_MS = 30_000;

const exchange = await startLiveKalshi();
const { emulator, service, tenant, account } = exchange;
afterAll(() => exchange.close());

const attempt = async (orderId: string) => {
  const [row] = await service.sql<{ lookups: number; notFound: number }[]>`
    select lookups, not_found from transmissions where order_id = ${orderId}`;
  return row;
};
/** As if the send had expired long ago. */
const age = (orderId: string) => service.sql`
  update transmissions set sent_at = sent_at - interval '100 seconds', expires_at = expires_at - interval '100 seconds',
    lookups = 0, next_lookup_at = now() where order_id = ${orderId}`;

test('an order that never arrived is given up once the position shows that it was not filled', {
  timeout: 120_000,
}, async () => {
  await until(async () => expect((await tenant.quote('ann', { stake: 5 })).status).toBe(200), SLOWEST_MS);
  emulator.faults.arm({ kind: 'timeout_before_apply' }, 'POST /portfolio/events/orders');
  const placed = (await tenant.place('ann', { reserveReference: 'held' }, { stake: 5 })).body;
  const orderId = placed.orderId ?? placed.error.details.orderId;
  // nothing of ours is in the list
  expect(account().orders.size).toBe(0);
  await age(orderId);
  await until(async () => expect((await tenant.read(orderId)).status).toBe('rejected'), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

test('an order that moved to the history before anybody read its answer ends filled', {
  timeout: 120_000,
}, async () => {
  await until(async () => expect((await tenant.quote('ann', { stake: 5 })).status).toBe(200), SLOWEST_MS);
  emulator.faults.arm({ kind: 'timeout_after_apply' }, 'POST /portfolio/events/orders');
  emulator.control({ do: 'archive', before: new Date(Date.now() + 3_600_000), lists: ['orders'] });
  const placed = (await tenant.place('ann', { reserveReference: 'held' }, { stake: 5 })).body;
  const orderId = placed.orderId ?? placed.error.details.orderId;
  await age(orderId);
  await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
  emulator.control({ do: 'archive', before: new Date(0), lists: ['orders'] });
  expect(await tenant.audit()).toEqual([]);
});

// contract 18.8
test('while the lists of the account stand still, an order that they do not show is not given up', {
  timeout: 120_000,
}, async () => {
  await until(async () => expect((await tenant.quote('ann', { stake: 5 })).status).toBe(200), SLOWEST_MS);
  expect(account().orders.size).toBeGreaterThan(0);
  emulator.control({ do: 'reads', stale: true });
  // as old as the send will be
  Object.assign(emulator.state.staleReads ?? {}, { asOf: new Date(Date.now() - 100_000) });
  emulator.faults.arm({ kind: 'timeout_after_apply' }, 'POST /portfolio/events/orders');
  const placed = (await tenant.place('ann', { reserveReference: 'held' }, { stake: 5 })).body;
  const orderId = placed.orderId ?? placed.error.details.orderId;
  await age(orderId);
  await until(async () => expect((await attempt(orderId))?.lookups).toBeGreaterThan(4), SLOWEST_MS);
  expect(await attempt(orderId)).toMatchObject({ notFound: 0 });
  expect(await tenant.read(orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  emulator.control({ do: 'reads', stale: false });
  await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

// last: the fills of an order that is not listed are foreign ones, for which trading stops
test('while the list of orders is empty, the position keeps an order that was filled from being given up', {
  timeout: 120_000,
}, async () => {
  await until(async () => expect((await tenant.quote('ann', { stake: 5 })).status).toBe(200), SLOWEST_MS);
  const held = account().positions.get(TICKER) ?? 0n;
  emulator.faults.arm({ kind: 'timeout_after_apply' }, 'POST /portfolio/events/orders');
  const placing = tenant.place('ann', { reserveReference: 'held' }, { stake: 5 });
  await until(() => expect(account().positions.get(TICKER) ?? 0n).toBeGreaterThan(held), SLOWEST_MS);
  emulator.faults.arm(
    { kind: 'status', status: 200, body: { orders: [], cursor: '' } },
    'GET /portfolio/orders',
    100_000,
  );
  const placed = (await placing).body;
  const orderId = placed.orderId ?? placed.error.details.orderId;
  await age(orderId);
  await until(async () => expect((await attempt(orderId))?.lookups).toBeGreaterThan(4), SLOWEST_MS);
  expect(await attempt(orderId)).toMatchObject({ notFound: 0 });
  expect(await tenant.read(orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  emulator.faults.clear();
  await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

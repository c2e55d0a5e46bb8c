/**
 * What a live world meets only at Kalshi: an answer that is lost while its list of orders does not show the order, so what "not found"
 * proves; a list that is not there; and a pause of trading. The rest: `live.test.ts`.
 */
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { startLiveKalshi } from './live-exchange.ts';

const SLOWEST_MS = 30_000;

const exchange = await startLiveKalshi();
const { emulator, service, tenant, send, taken } = exchange;
afterAll(() => exchange.close());

const idOf = ({ body }: Awaited<ReturnType<typeof exchange.place>>): string =>
  body.orderId ?? body.error.details.orderId;

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
  emulator.faults.arm({ kind: 'timeout_before_apply' }, send);
  const orderId = idOf(await exchange.place({ stake: 5 }));
  // nothing of ours is in the list
  expect(taken()).toBe(0);
  await age(orderId);
  await until(async () => expect((await tenant.read(orderId)).status).toBe('rejected'), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

test('an order that moved to the history before anybody read its answer ends filled', {
  timeout: 120_000,
}, async () => {
  await until(async () => expect((await tenant.quote('ann', { stake: 5 })).status).toBe(200), SLOWEST_MS);
  emulator.faults.arm({ kind: 'timeout_after_apply' }, send);
  emulator.control({ do: 'archive', before: new Date(Date.now() + 3_600_000), lists: ['orders'] });
  const orderId = idOf(await exchange.place({ stake: 5 }));
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
  expect(taken()).toBeGreaterThan(0);
  emulator.control({ do: 'reads', stale: true });
  // as old as the send will be
  Object.assign(emulator.state.staleReads ?? {}, { asOf: new Date(Date.now() - 100_000) });
  emulator.faults.arm({ kind: 'timeout_after_apply' }, send);
  const orderId = idOf(await exchange.place({ stake: 5 }));
  await age(orderId);
  await until(async () => expect((await attempt(orderId))?.lookups).toBeGreaterThan(4), SLOWEST_MS);
  expect(await attempt(orderId)).toMatchObject({ notFound: 0 });
  expect(await tenant.read(orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  emulator.control({ do: 'reads', stale: false });
  await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

test('a 404 of the list of orders releases nothing, however often, and the fill is booked once the list answers', {
  timeout: 120_000,
}, async () => {
  const before = taken();
  emulator.faults.arm({ kind: 'timeout_after_apply' }, send);
  const missing = { kind: 'status', status: 404, body: { code: 'not_found', message: 'page not found' } } as const;
  emulator.faults.arm(missing, 'GET /portfolio/orders', 1_000);
  const orderId = idOf(await exchange.place({ stake: 5 }));
  const looks = async () =>
    (
      await service.sql<{ lookups: number; notFound: number }[]>`
        update transmissions set expires_at = least(expires_at, now() - interval '2 minutes'), next_lookup_at = least(next_lookup_at, now())
        where order_id = ${orderId} returning lookups, not_found`
    )[0];
  await until(async () => expect((await looks())?.lookups ?? 0).toBeGreaterThan(5), SLOWEST_MS);
  expect((await looks())?.notFound).toBe(0);
  expect(await tenant.read(orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  expect(taken()).toBe(before + 1);
  emulator.faults.clear();
  await until(async () => {
    await looks();
    expect((await tenant.read(orderId)).status).toBe('filled');
  }, SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

test('while the exchange pauses trading nothing is sent or quoted, and both go on by themselves', {
  timeout: 120_000,
}, async () => {
  const status = async () => (await tenant.quote('ann', { stake: 5 })).status;
  await until(async () => expect(await status()).toBe(200), SLOWEST_MS);
  const before = taken();
  const quoted = await tenant.quote('ann', { stake: 5 });
  const placed = await tenant.order('ann', { quoteId: quoted.body.quoteId, clientOrderId: 'paused' });
  emulator.control({ do: 'trading', active: false });
  await until(async () => expect((await tenant.quote('ann', { stake: 5 })).body.error).toBe('trading_paused'), 15_000);
  // one that was placed before waits
  expect((await tenant.confirm(placed.body.orderId)).body).toMatchObject({ status: 'pending_venue_execution' });
  expect(taken()).toBe(before);
  emulator.control({ do: 'trading', active: true });
  await until(async () => expect((await tenant.read(placed.body.orderId)).status).toBe('filled'), SLOWEST_MS);
  await until(async () => expect(await status()).toBe(200), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

// last: the fills of an order that is not listed are foreign ones, for which trading stops
test('while the list of orders is empty, the position keeps an order that was filled from being given up', {
  timeout: 120_000,
}, async () => {
  await until(async () => expect((await tenant.quote('ann', { stake: 5 })).status).toBe(200), SLOWEST_MS);
  const held = exchange.held();
  emulator.faults.arm({ kind: 'timeout_after_apply' }, send);
  const placing = tenant.place('ann', { reserveReference: 'held' }, { stake: 5 });
  await until(() => expect(exchange.held()).toBeGreaterThan(held), SLOWEST_MS);
  emulator.faults.arm(
    { kind: 'status', status: 200, body: { orders: [], cursor: '' } },
    'GET /portfolio/orders',
    100_000,
  );
  const orderId = idOf(await placing);
  await age(orderId);
  await until(async () => expect((await attempt(orderId))?.lookups).toBeGreaterThan(4), SLOWEST_MS);
  expect(await attempt(orderId)).toMatchObject({ notFound: 0 });
  expect(await tenant.read(orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  emulator.faults.clear();
  await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

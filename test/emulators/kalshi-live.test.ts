/** What a live world meets only at Kalshi: a list of orders that is not there, and a pause of trading. The rest: `live.test.ts`. */
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { startLiveKalshi } from './live-exchange.ts';

const SLOWEST_MS = 30_000;

const exchange = await startLiveKalshi();
const { emulator, service, tenant, account } = exchange;
afterAll(() => exchange.close());

test('a 404 of the list of orders releases nothing, however often, and the fill is booked once the list answers', {
  timeout: 120_000,
}, async () => {
  const before = account().orders.size;
  emulator.faults.arm({ kind: 'timeout_after_apply' }, 'POST /portfolio/events/orders');
  const missing = { kind: 'status', status: 404, body: { code: 'not_found', message: 'page not found' } } as const;
  emulator.faults.arm(missing, 'GET /portfolio/orders', 1_000);
  const { orderId } = (await exchange.place({ stake: 5 })).body;
  const looks = async () =>
    (
      await service.sql<{ lookups: number; notFound: number }[]>`
        update transmissions set expires_at = least(expires_at, now() - interval '2 minutes'), next_lookup_at = least(next_lookup_at, now())
        where order_id = ${orderId} returning lookups, not_found`
    )[0];
  await until(async () => expect((await looks())?.lookups ?? 0).toBeGreaterThan(5), SLOWEST_MS);
  expect((await looks())?.notFound).toBe(0);
  expect(await tenant.read(orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  expect(account().orders.size).toBe(before + 1);
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
  const before = account().orders.size;
  const quoted = await tenant.quote('ann', { stake: 5 });
  const placed = await tenant.order('ann', { quoteId: quoted.body.quoteId, clientOrderId: 'paused' });
  emulator.control({ do: 'trading', active: false });
  await until(async () => expect((await tenant.quote('ann', { stake: 5 })).body.error).toBe('trading_paused'), 15_000);
  // one that was placed before waits
  expect((await tenant.confirm(placed.body.orderId)).body).toMatchObject({ status: 'pending_venue_execution' });
  expect(account().orders.size).toBe(before);
  emulator.control({ do: 'trading', active: true });
  await until(async () => expect((await tenant.read(placed.body.orderId)).status).toBe('filled'), SLOWEST_MS);
  await until(async () => expect(await status()).toBe(200), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

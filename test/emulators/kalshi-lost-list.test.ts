/** Orders at the emulated Kalshi whose answer is lost, while its list of orders does not show them: what "not found" proves. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { listExamples } from '../../src/emulators/kalshi/example-markets.ts';
import type { Tenant } from '../support/live.ts';
import type { TestService } from '../support/service.ts';
import { newKalshiKey } from './kalshi-venue.ts';
import { type LiveExchange, startLiveExchange } from './live-exchange.ts';

const TICKER = 'KXEXAMPLE-RAIN';
const KEY_ID = 'key-1';
const SLOWEST = { timeout: 30_000, interval: 250 };

let emulator: KalshiEmulator;
let exchange: LiveExchange;
let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  emulator = await startKalshiEmulator();
  listExamples(emulator);
  const keyFile = newKalshiKey(emulator, KEY_ID);
  exchange = await startLiveExchange('kalshi', TICKER, {
    INLAY_KALSHI_URL: emulator.url,
    INLAY_KALSHI_KEY_ID: KEY_ID,
    INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
  });
  ({ service, tenant } = exchange);
});
afterAll(async () => {
  await exchange?.close();
  await emulator?.close();
});

const account = () =>
  emulator.state.accounts.get(KEY_ID) as NonNullable<ReturnType<typeof emulator.state.accounts.get>>;
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
  await expect.poll(async () => (await tenant.quote('ann', { stake: 5 })).status, SLOWEST).toBe(200);
  emulator.faults.arm({ kind: 'timeout_before_apply' }, 'POST /portfolio/events/orders');
  const placed = (await tenant.place('ann', { reserveReference: 'held' }, { stake: 5 })).body;
  const orderId = placed.orderId ?? placed.error.details.orderId;
  // nothing of ours is in the list
  expect(account().orders.size).toBe(0);
  await age(orderId);
  await expect.poll(async () => (await tenant.read(orderId)).status, SLOWEST).toBe('rejected');
  expect(await tenant.audit()).toEqual([]);
});

// last: the fills of an order that is not listed are foreign ones, for which trading stops
test('while the list of orders is empty, the position keeps an order that was filled from being given up', {
  timeout: 120_000,
}, async () => {
  await expect.poll(async () => (await tenant.quote('ann', { stake: 5 })).status, SLOWEST).toBe(200);
  const held = account().positions.get(TICKER) ?? 0n;
  emulator.faults.arm({ kind: 'timeout_after_apply' }, 'POST /portfolio/events/orders');
  const placing = tenant.place('ann', { reserveReference: 'held' }, { stake: 5 });
  await expect.poll(() => account().positions.get(TICKER) ?? 0n, SLOWEST).toBeGreaterThan(held);
  emulator.faults.arm(
    { kind: 'status', status: 200, body: { orders: [], cursor: '' } },
    'GET /portfolio/orders',
    100_000,
  );
  const placed = (await placing).body;
  const orderId = placed.orderId ?? placed.error.details.orderId;
  await age(orderId);
  await expect.poll(async () => (await attempt(orderId))?.lookups, SLOWEST).toBeGreaterThan(4);
  expect(await attempt(orderId)).toMatchObject({ notFound: 0 });
  expect(await tenant.read(orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  emulator.faults.clear();
  await expect.poll(async () => (await tenant.read(orderId)).status, SLOWEST).toBe('filled');
  expect(await tenant.audit()).toEqual([]);
});

/** Live orders at the emulated Kalshi, all the way: catalogue, quote, order, fill, sale, a lost answer, result and payment. */
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

async function place(quote: object, order?: object): Promise<{ orderId: string }> {
  const placed = await exchange.place(quote, order);
  expect(placed.body.orderId, placed.text).toBeDefined();
  return placed.body;
}

test('a buy and a sale are filled at the exchange, with its fees, and the books agree with the account', {
  timeout: 120_000,
}, async () => {
  const { orderId } = await place({ stake: 10 });
  await expect.poll(async () => (await tenant.read(orderId)).status, SLOWEST).toBe('filled');
  const [fill] = account().fills;
  expect(fill).toMatchObject({ ticker: TICKER, side: 'bid', yesPrice: 420_000n });
  const held = account().positions.get(TICKER) ?? 0n;
  const [position] = await service.sql<{ positionId: string; quantity: bigint }[]>`
    select position_id, quantity from positions where operator_id = ${tenant.operator.operatorId}`;
  expect(position?.quantity).toBe(held);
  const sold = await place({ action: 'sell', stake: undefined, contracts: 5 });
  await expect.poll(async () => (await tenant.read(sold.orderId)).status, SLOWEST).toBe('filled');
  expect(account().positions.get(TICKER)).toBe(held - 5_000_000n);
  expect(await tenant.audit()).toEqual([]);
});

// contract 18.4
test('an answer that is lost is looked up, and the order is there once', { timeout: 120_000 }, async () => {
  const before = account().orders.size;
  emulator.faults.arm({ kind: 'timeout_after_apply' }, 'POST /portfolio/events/orders');
  const { orderId } = await place({ stake: 5 });
  await expect.poll(async () => (await tenant.read(orderId)).status, SLOWEST).toBe('filled');
  expect(account().orders.size).toBe(before + 1);
  expect(await tenant.audit()).toEqual([]);
});

test('a 404 of the list of orders releases nothing, however often, and the fill is booked once the list answers', {
  timeout: 120_000,
}, async () => {
  const before = account().orders.size;
  emulator.faults.arm({ kind: 'timeout_after_apply' }, 'POST /portfolio/events/orders');
  const missing = { kind: 'status', status: 404, body: { code: 'not_found', message: 'page not found' } } as const;
  emulator.faults.arm(missing, 'GET /portfolio/orders', 1_000);
  const { orderId } = await place({ stake: 5 });
  const looks = async () =>
    (
      await service.sql<{ lookups: number; notFound: number }[]>`
        update transmissions set expires_at = least(expires_at, now() - interval '2 minutes'), next_lookup_at = least(next_lookup_at, now())
        where order_id = ${orderId} returning lookups, not_found`
    )[0];
  await expect.poll(async () => (await looks())?.lookups ?? 0, SLOWEST).toBeGreaterThan(5);
  expect((await looks())?.notFound).toBe(0);
  expect(await tenant.read(orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  expect(account().orders.size).toBe(before + 1);
  emulator.faults.clear();
  await expect
    .poll(async () => {
      await looks();
      return (await tenant.read(orderId)).status;
    }, SLOWEST)
    .toBe('filled');
  expect(await tenant.audit()).toEqual([]);
});

test('while the exchange pauses trading nothing is sent or quoted, and both go on by themselves', {
  timeout: 120_000,
}, async () => {
  const status = async () => (await tenant.quote('ann', { stake: 5 })).status;
  await expect.poll(status, SLOWEST).toBe(200);
  const before = account().orders.size;
  const quoted = await tenant.quote('ann', { stake: 5 });
  const placed = await tenant.order('ann', { quoteId: quoted.body.quoteId, clientOrderId: 'paused' });
  emulator.control({ do: 'trading', active: false });
  await expect
    .poll(async () => (await tenant.quote('ann', { stake: 5 })).body.error, { timeout: 15_000, interval: 250 })
    .toBe('trading_paused');
  // one that was placed before waits
  expect((await tenant.confirm(placed.body.orderId)).body).toMatchObject({ status: 'pending_venue_execution' });
  expect(account().orders.size).toBe(before);
  emulator.control({ do: 'trading', active: true });
  await expect.poll(async () => (await tenant.read(placed.body.orderId)).status, SLOWEST).toBe('filled');
  await expect.poll(status, SLOWEST).toBe(200);
  expect(await tenant.audit()).toEqual([]);
});

test('a final result pays the position, and nothing is held any more', { timeout: 120_000 }, async () => {
  emulator.control({
    do: 'status',
    ticker: TICKER,
    status: 'finalized',
    result: 'yes',
    settlementValue: 1_000_000n,
  });
  await expect
    .poll(
      async () => {
        const [row] = await service.sql<{ status: string }[]>`
          select status from positions where operator_id = ${tenant.operator.operatorId}`;
        return row?.status;
      },
      { timeout: 100_000, interval: 500 },
    )
    .toBe('settled');
  expect(account().positions.size).toBe(0);
  // between the exchange's payment and ours the account holds less than the books: the next comparison clears it
  const findings = async () => [...(await service.sql`select kind from venue_findings where cleared_at is null`)];
  await expect.poll(findings, SLOWEST).toEqual([]);
  expect(await tenant.audit()).toEqual([]);
});

/** Live orders at the emulated Kalshi, all the way: catalogue, quote, order, fill, sale, a lost answer, result and payment. */
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { startLiveKalshi, TICKER } from './live-exchange.ts';

const SLOWEST_MS = 30_000;

const exchange = await startLiveKalshi();
const { emulator, service, tenant, account } = exchange;
afterAll(() => exchange.close());

async function place(quote: object, order?: object): Promise<{ orderId: string }> {
  const placed = await exchange.place(quote, order);
  expect(placed.body.orderId, placed.text).toBeDefined();
  return placed.body;
}

test('a buy and a sale are filled at the exchange, with its fees, and the books agree with the account', {
  timeout: 120_000,
}, async () => {
  const { orderId } = await place({ stake: 10 });
  await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
  const [fill] = account().fills;
  expect(fill).toMatchObject({ ticker: TICKER, side: 'bid', yesPrice: 420_000n });
  const held = account().positions.get(TICKER) ?? 0n;
  const [position] = await service.sql<{ positionId: string; quantity: bigint }[]>`
    select position_id, quantity from positions where operator_id = ${tenant.operator.operatorId}`;
  expect(position?.quantity).toBe(held);
  const sold = await place({ action: 'sell', stake: undefined, contracts: 5 });
  await until(async () => expect((await tenant.read(sold.orderId)).status).toBe('filled'), SLOWEST_MS);
  expect(account().positions.get(TICKER)).toBe(held - 5_000_000n);
  expect(await tenant.audit()).toEqual([]);
});

// contract 18.4
test('an answer that is lost is looked up, and the order is there once', { timeout: 120_000 }, async () => {
  const before = account().orders.size;
  emulator.faults.arm({ kind: 'timeout_after_apply' }, 'POST /portfolio/events/orders');
  const { orderId } = await place({ stake: 5 });
  await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
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

test('a final result pays the position, and nothing is held any more', { timeout: 120_000 }, async () => {
  emulator.control({
    do: 'status',
    ticker: TICKER,
    status: 'finalized',
    result: 'yes',
    settlementValue: 1_000_000n,
  });
  await until(
    () => service.sql<{ status: string }[]>`
      select status from positions where operator_id = ${tenant.operator.operatorId}`,
    ([position]) => position?.status === 'settled',
    100_000,
  );
  expect(account().positions.size).toBe(0);
  // between the exchange's payment and ours the account holds less than the books: the next comparison clears it
  const findings = async () => [...(await service.sql`select kind from venue_findings where cleared_at is null`)];
  await until(async () => expect(await findings()).toEqual([]), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

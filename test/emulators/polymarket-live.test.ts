/**
 * What a live world meets only at Polymarket: an order by hash, trades to their end, pushes, a trade that fails, a price that becomes
 * better, and a result of one half. The rest: `live.test.ts`.
 */
import { afterAll, expect, test } from 'vitest';
import { settlementsIn } from '../support/settlements.ts';
import { timePasses, until } from '../support/until.ts';
import { startLivePolymarket } from './live-exchange.ts';

const SLOWEST_MS = 40_000;

const exchange = await startLivePolymarket();
const { emulator, service, tenant, account, tell, held, quantity } = exchange;
afterAll(() => exchange.close());

async function place(quote: object): Promise<{ orderId: string; status: string }> {
  const placed = await exchange.place(quote);
  expect(placed.body.orderId ?? placed.body.error?.details?.orderId, placed.text).toBeDefined();
  return placed.body;
}

const reaches = (orderId: string, status: string) =>
  until(async () => expect((await tenant.read(orderId)).status).toBe(status), SLOWEST_MS);
const clean = async () => expect(await tenant.audit()).toEqual([]);

// contract 18.4, contract 18.11
test('a buy is sent under the hash that was stored before, and filled once its trades are confirmed', {
  timeout: 120_000,
}, async () => {
  tell({ do: 'settlement', minedMs: 500, finalMs: 7_000 });
  const { orderId, status } = await place({ stake: 10 });
  // matched at once, and not booked
  expect(status).toBe('submitted');
  expect(account.trades).toMatchObject([{ side: 'BUY' }]);
  expect(await quantity()).toBe(0n);
  const [attempt] = await service.sql<{ venueRef: string; venueTerms: string; spendMicros: bigint }[]>`
    select venue_ref, venue_terms, spend_micros from transmissions where order_id = ${orderId}`;
  expect([...account.orders.keys()]).toEqual([attempt?.venueRef]);
  expect(attempt?.spendMicros).toBeGreaterThan(9_000_000n);
  expect(JSON.parse(attempt?.venueTerms ?? '')).toEqual({ rateMicros: '50000', exponent: 1, builderBps: 0 });
  // its fee is that of the send, whatever the market charges when the fill is read
  tell({ do: 'terms', name: 'rain', feeRate: '0.07' });
  await reaches(orderId, 'filled');
  tell({ do: 'terms', name: 'rain', feeRate: '0.05' });
  expect(await quantity()).toBe(held());
  await clean();
  tell({ do: 'settlement', minedMs: 200, finalMs: 600 });
});

test('a trade that is confirmed is known by its push, whenever the order would have been looked up next', {
  timeout: 120_000,
}, async () => {
  tell({ do: 'settlement', minedMs: 100, finalMs: 8_000 });
  const { orderId } = await place({ stake: 5 });
  await until(() => expect(account.trades.at(-1)?.status).toBe('MINED'), SLOWEST_MS);
  await timePasses(2_000);
  await service.sql`update transmissions set next_lookup_at = now() + interval '1 hour' where order_id = ${orderId}`;
  await until(() => expect(account.trades.at(-1)?.status).toBe('CONFIRMED'), SLOWEST_MS);
  await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
  expect(await quantity()).toBe(held());
  tell({ do: 'settlement', minedMs: 200, finalMs: 600 });
});

test.each([
  [
    'a delay without success',
    200,
    { success: false, status: 'delayed', errorMsg: 'order match delayed due to market conditions' },
  ],
  ['a delay as a bad request', 400, { error: 'order match delayed due to market conditions' }],
  ['an execution that failed', 400, { error: 'could not run the execution' }],
  ['a path that a gateway does not know', 404, { error: 'not found' }],
])('%s is no refusal, and the order that was filled is found', { timeout: 120_000 }, async (_, status, body) => {
  await until(async () => expect((await tenant.quote('ann', { stake: 5 })).status).toBe(200), SLOWEST_MS);
  const before = held();
  emulator.faults.arm({ kind: 'answer', status, body }, 'POST /order');
  const placed = (await tenant.place('ann', { reserveReference: 'held' }, { stake: 5 })).body;
  const orderId = placed.orderId ?? placed.error.details.orderId;
  await reaches(orderId, 'filled');
  expect(held()).toBeGreaterThan(before);
  expect(await quantity()).toBe(held());
  await clean();
});

test('a trade that fails leaves no position, and what it would have cost is released', {
  timeout: 120_000,
}, async () => {
  const [before, cash] = [held(), account.cash];
  emulator.faults.arm({ kind: 'trade_fails' }, 'POST /order');
  const { orderId } = await place({ stake: 5 });
  await reaches(orderId, 'cancelled');
  expect(await tenant.read(orderId)).toMatchObject({ transmissionState: 'resolved' });
  expect([held(), account.cash]).toEqual([before, cash]);
  expect(await quantity()).toBe(before);
  await clean();
});

// contract 13.16
test("a better price fills more contracts than were asked for, and they are the customer's", {
  timeout: 120_000,
}, async () => {
  const before = held();
  const quoted = await tenant.quote('ann', { stake: 10 });
  expect(quoted.status, quoted.text).toBe(200);
  // the book becomes cheaper without the service knowing it: the message is lost
  tell({ do: 'stream', fault: 'gap' });
  tell({ do: 'book', name: 'rain', bids: [['0.30', '500']], asks: [['0.35', '500']] });
  const placed = await tenant.order('ann', {
    quoteId: quoted.body.quoteId,
    clientOrderId: 'better',
    reserveReference: 'held',
  });
  await reaches(placed.body.orderId, 'filled');
  const bought = held() - before;
  expect(bought).toBeGreaterThan(26_000_000n);
  const [order] = await service.sql<{ filledQuantityMicros: bigint; asked: bigint }[]>`
    select o.filled_quantity_micros, t.quantity_micros as asked from orders o join transmissions t using (operator_id, order_id)
    where o.order_id = ${placed.body.orderId}`;
  expect(order?.filledQuantityMicros).toBe(bought);
  expect(order?.asked).toBeLessThan(24_000_000n);
  expect(await quantity()).toBe(held());
  await clean();
});

test('an order that the wallet may not pay is withdrawn before it is sent', { timeout: 120_000 }, async () => {
  const [orders, allowance] = [account.orders.size, account.allowance];
  account.allowance = 1_000_000n;
  // what was read in the last five seconds is still believed
  await timePasses(5_000);
  const { orderId } = await place({ stake: 5 });
  await reaches(orderId, 'cancelled');
  expect(await tenant.read(orderId)).toMatchObject({
    transmissionState: 'not_transmitted',
    intent: { reason: 'line_not_available', releaseAmount: '5.00' },
  });
  expect(account.orders.size).toBe(orders);
  account.allowance = allowance;
  await clean();
});

test('the comparison with the account found nothing in all of that', { timeout: 60_000 }, async () => {
  const compared = async () =>
    (await service.sql`select from venue_accounts where compared_at > now() - interval '2 seconds'`).length;
  await until(async () => expect(await compared()).toBe(1), SLOWEST_MS);
  expect([...(await service.sql`select kind, subject, raw from venue_findings`)]).toEqual([]);
});

test('a result of one half pays both sides the half, and nothing is held any more', { timeout: 120_000 }, async () => {
  const settled = async () => {
    const [row] = await service.sql<{ status: string; resolution: string }[]>`
      select p.status, c.resolution from positions p join contracts c using (contract_id)
      where operator_id = ${tenant.operator.operatorId}`;
    return row;
  };
  const syncedAt = async () => {
    const [row] = await service.sql<
      { at: Date }[]
    >`select last_sync_at as at from venue_feeds where venue = 'polymarket'`;
    return row?.at;
  };
  const contracts = await quantity();
  // a proposal that is disputed, withdrawn, proposed and disputed again pays nothing
  for (const status of ['proposed', 'disputed', 'withdrawn', 'proposed', 'disputed']) {
    tell({ do: 'oracle', name: 'rain', status });
  }
  tell({ do: 'stream', fault: 'disconnect' });
  const before = await syncedAt();
  await until(async () => expect(await syncedAt()).not.toEqual(before), SLOWEST_MS);
  expect(await settled()).toEqual({ status: 'open', resolution: null });
  tell({ do: 'oracle', name: 'rain', status: 'resolved', payout: ['0.5', '0.5'] });
  await until(async () => expect(await settled()).toEqual({ status: 'settled', resolution: 'SPLIT' }), 100_000);
  const [paid] = await service.sql<{ outcome: string; credit: bigint }[]>`
    select outcome, void_credit_minor as credit from ${settlementsIn(service.sql)} where operator_id = ${tenant.operator.operatorId}`;
  // one half of each contract, rounded down to the cent
  expect(paid).toEqual({ outcome: 'void', credit: (contracts ?? 0n) / 2n / 10_000n });
  // redeemed or not, the account agrees with the books
  tell({ do: 'redeem' });
  const redeemed = async () =>
    (await service.sql`select from venue_accounts where compared_at > now() - interval '2 seconds'`).length;
  await until(async () => expect(await redeemed()).toBe(1), SLOWEST_MS);
  expect([...(await service.sql`select kind, subject, raw from venue_findings`)]).toEqual([]);
  await clean();
});

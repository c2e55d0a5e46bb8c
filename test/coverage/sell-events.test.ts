/** `order.filled` of a live sell: each event tells the order to date, with its cumulative money, also while a fee is being read (specification "Webhooks", rulings 8). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Live, startLive, type Tenant } from '../support/live.ts';

let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await startLive();
  tenant = await live.tenant();
});
afterAll(() => live.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
const eventsOf = async (orderId: string): Promise<any[]> => {
  const rows = await live.service.sql`
    select data from outbox_events where type = 'order.filled' and data ->> 'orderId' = ${orderId}
    order by (data ->> 'fillSequence')::int`;
  return rows.map((row) => row['data']);
};
const sell = (contracts: number) =>
  tenant.place('ana', { reserveReference: 'r' }, { action: 'sell', stake: undefined, contracts });

test('two fills in one answer are two steps, and the money adds up', async () => {
  await tenant.place('ana', { reserveReference: 'r' }, { stake: 20 });
  live.venue.script = (order) => live.venue.accept(order, [4_000_000n, 6_000_000n], 'closed');
  const sold = await sell(10);
  expect(sold.body).toMatchObject({ status: 'filled', filledQuantity: 10 });
  const [first, second] = await eventsOf(sold.body.orderId);
  expect(first).toMatchObject({
    fillSequence: 1,
    fillQuantity: 4,
    filledQuantity: 4,
    status: 'partially_filled',
    transmissionState: 'unknown',
    final: false,
    partial: true,
  });
  expect(second).toMatchObject({
    fillSequence: 2,
    fillQuantity: 6,
    filledQuantity: 10,
    status: 'filled',
    transmissionState: 'resolved',
    final: true,
    partial: false,
  });
  const cents = (text: string) => Math.round(Number(text) * 100);
  expect(cents(first.operatorExitMoney.sellProceeds)).toBe(cents(first.fillMoney.sellProceeds));
  expect(cents(second.operatorExitMoney.sellProceeds)).toBe(
    cents(first.fillMoney.sellProceeds) + cents(second.fillMoney.sellProceeds),
  );
  expect(second.operatorExitMoney).toEqual(sold.body.operatorExitMoney);
  expect(first.operatorMoney).toBeNull();
});

test('while the fee is being read the event has the money of the fill, and a read still shows 0.00', async () => {
  live.venue.script = (order) => live.venue.fillWhole(order, null);
  const sold = await sell(5);
  expect(sold.body).toMatchObject({
    status: 'partially_filled',
    settlementState: 'pending',
    operatorExitMoney: { sellProceeds: '0.00', venueFeeKnown: false },
  });
  const [only] = await eventsOf(sold.body.orderId);
  expect(only).toMatchObject({
    status: 'partially_filled',
    transmissionState: 'unknown',
    final: false,
    operatorExitMoney: { sellProceeds: '2.69', platformFee: '0.06', venueFee: '0.00', venueFeeKnown: false },
  });
  expect(await tenant.audit()).toEqual([]);
});

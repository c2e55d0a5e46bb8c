/** What live orders tell: each `order.filled` of a sell is the order to date with its cumulative money, and a venue’s reason names no venue (specification "Webhooks", rulings 8). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyJson } from '../support/any-json.ts';
import { type Live, startLive, type Tenant } from '../support/live.ts';

let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await startLive();
  tenant = await live.tenant();
});
afterAll(() => live.close());

const eventsOf = async (orderId: string): Promise<AnyJson[]> => {
  const rows = await live.service.sql`
    select data from webhook_events where type = 'order.filled' and data ->> 'orderId' = ${orderId}
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

test('contract questionable: partial is true while more may come; while the fee is being read the event has the money of the fill, and a read still shows 0.00', async () => {
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
    partial: true,
    operatorExitMoney: { sellProceeds: '2.69', platformFee: '0.06', venueFee: '0.00', venueFeeKnown: false },
  });
  expect(await tenant.audit()).toEqual([]);
});

test('a venue’s reason names no venue, and our reference where it names its own id', async () => {
  live.venue.script = () => ({
    outcome: 'rejected',
    reason: 'Polymarket refused order 8f14e45f-ceea-467f-a000: insufficient balance at PAPER-2',
    order: null,
  });
  const refused = await tenant.place('bea', { reserveReference: 'r' });
  const { executionRef, rejectReason, orderId } = refused.body;
  expect(rejectReason).toBe(
    `the venue refused order ${executionRef}: insufficient balance at the venue (${executionRef})`,
  );
  const told = await live.service.sql`
    select data::text as text from webhook_events where data ->> 'orderId' = ${orderId}
    union all select detail::text from feed_items where order_id = ${orderId}`;
  for (const { text } of told) {
    expect(text).not.toMatch(/polymarket|paper|8f14e45f/i);
  }
});

test('an exit agrees with the venue’s own record, disagrees, or nothing is known', async () => {
  const agrees = async (orderId: string) => {
    const [row] = await live.service.sql`
      select (detail ->> 'venueAgrees')::boolean as agrees from feed_items where type = 'position.exited' and order_id = ${orderId}`;
    return row?.['agrees'];
  };
  live.venue.script = (order) => live.venue.fillWhole(order);
  await tenant.place('cem', { reserveReference: 'r' }, { stake: 30 });
  const sellOf = () =>
    tenant.place('cem', { reserveReference: 'r' }, { action: 'sell', stake: undefined, contracts: 5 });
  expect(await agrees((await sellOf()).body.orderId)).toBe(true);
  const { fills } = live.venue;
  live.venue.fills = async (ourId) =>
    (await fills(ourId)).map((fill) => ({ ...fill, quantityMicros: fill.quantityMicros - 10_000n }));
  expect(await agrees((await sellOf()).body.orderId)).toBe(false);
  live.venue.fills = async () => [];
  expect(await agrees((await sellOf()).body.orderId)).toBeNull();
  live.venue.fills = fills;
  const report = await live.service.request('GET', '/api/v1/reconciliation', { key: tenant.key });
  expect(report.body.venueAgreement).toMatchObject({ disagrees: 1, unknown: 1 });
  expect(report.body.findings.map(({ check }: { check: string }) => check)).toContain('venue_agreement');
});

/** What live orders tell: each `order.filled` of a sell is the order to date with its cumulative money, and a venue’s reason names no venue (contract chapter 26). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderToPlace } from '../../src/venues/port.ts';
import type { WebhookEventType } from '../../src/wire/webhook.ts';
import type { AnyJson } from '../support/any-json.ts';
import { readEventsOf } from '../support/events.ts';
import { type ReadItem, readItems } from '../support/items.ts';
import { createSentOrders } from '../support/sent-orders.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive();
  tenant = await live.tenant();
});
afterAll(() => live.close());

const { ended, due } = createSentOrders(
  () => live,
  () => tenant,
);
const itemsOf = async (orderId: string, wanted?: ReadItem['type']): Promise<ReadItem[]> => {
  const items = (await readItems(live.sql)).filter((item) => item.orderId === orderId);
  return wanted === undefined ? items : items.filter(({ type }) => type === wanted);
};
const exitsOf = async (orderId: string): Promise<AnyJson[]> =>
  (await itemsOf(orderId, 'position.exited')).map(({ money }) => money);

const eventsOf = async (orderId: string, wanted: WebhookEventType = 'order.filled'): Promise<AnyJson[]> => {
  const events = await readEventsOf(live.sql, tenant.operator.operatorId, orderId);
  return events.filter(({ type }) => type === wanted).map(({ data }) => data);
};
const sell = (contracts: number) =>
  tenant.place('ana', { reserveReference: 'r' }, { action: 'sell', stake: undefined, contracts });

// contract 26.7, contract 26.8, contract 26.9
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

// contract 13.12, contract 26.10
test('a sell whose fee is being read tells 0.00 on every channel, and all of it once the fee is known', async () => {
  await tenant.place('dan', { reserveReference: 'r' }, { stake: 20 });
  live.venue.script = (order) => live.venue.fillWhole(order, null);
  const sold = await tenant.place('dan', { reserveReference: 'r' }, { action: 'sell', stake: undefined, contracts: 5 });
  const { orderId } = sold.body;
  const nothing = {
    currency: 'USD',
    sellProceeds: '0.00',
    platformFee: '0.00',
    venueFee: '0.00',
    venueFeeKnown: false,
  };
  expect(sold.body).toMatchObject({
    status: 'partially_filled',
    settlementState: 'pending',
    operatorExitMoney: nothing,
  });
  expect((await tenant.read(orderId)).operatorExitMoney).toEqual(nothing);
  const [only] = await eventsOf(orderId);
  expect(only).toMatchObject({
    status: 'partially_filled',
    transmissionState: 'unknown',
    final: false,
    partial: false,
    operatorExitMoney: nothing,
    fillMoney: {
      tradeAmount: '0.00',
      platformFee: '0.00',
      venueFee: '0.00',
      venueFeeKnown: false,
      sellProceeds: '0.00',
    },
  });
  expect(await exitsOf(orderId)).toEqual([]);
  expect(await tenant.audit()).toEqual([]);

  const [sent] = await live.sentOf(orderId);
  live.venue.change(sent?.ourId ?? '', { fills: [live.venue.fill(sent as OrderToPlace, 0, 5_000_000n, 400)] });
  await due(orderId);
  const done = await ended(orderId);
  const money = { currency: 'USD', sellProceeds: '2.58', platformFee: '0.06', venueFee: '0.11', venueFeeKnown: true };
  expect(done).toMatchObject({ status: 'filled', settlementState: 'settled', operatorExitMoney: money });
  expect(await exitsOf(orderId)).toEqual([money]);
  const [completed] = await eventsOf(orderId, 'order.completed');
  expect(completed).toMatchObject({ operatorExitMoney: money, partial: false, outcome: 'complete' });
  expect(await tenant.audit()).toEqual([]);
});

// contract 13.11, contract 13.12, contract 26.10
test('of a sell filled in parts each channel tells the fills whose fee is known, and its proceeds only grow', async () => {
  await tenant.place('eva', { reserveReference: 'r' }, { stake: 20 });
  live.venue.script = (order) => live.venue.accept(order, [2_000_000n, 1_000_000n], 'working', null);
  const sold = await tenant.place('eva', {}, { action: 'sell', stake: undefined, contracts: 5 });
  const { orderId } = sold.body;
  await tenant.confirm(orderId);
  await until(
    () => tenant.read(orderId),
    (one) => one.filledQuantity === 3,
  );
  const [sent] = (await live.sentOf(orderId)) as [OrderToPlace];
  const fill = (index: number, contracts: bigint, feeBps: number | null) =>
    live.venue.fill(sent, index, contracts * 1_000_000n, feeBps);
  const proceeds = async () => {
    const order = await tenant.read(orderId);
    const told = (await eventsOf(orderId)).at(-1);
    return { read: order.operatorExitMoney.sellProceeds, told: told.operatorExitMoney.sellProceeds };
  };
  expect(await proceeds()).toEqual({ read: '0.00', told: '0.00' });

  // the second fill's fee is read first, and a third comes with its own
  live.venue.change(sent.ourId, { fills: [fill(0, 2n, null), fill(1, 1n, 100), fill(2, 1n, 100)] });
  await due(orderId);
  await until(
    () => tenant.read(orderId),
    (one) => one.filledQuantity === 4,
  );
  expect(await proceeds()).toEqual({ read: '1.05', told: '1.05' });
  expect(await tenant.read(orderId)).toMatchObject({
    settlementState: 'pending',
    operatorExitMoney: { venueFeeKnown: false },
  });
  expect((await eventsOf(orderId)).at(-1)).toMatchObject({ fillSequence: 3, fillMoney: { venueFeeKnown: true } });
  expect(await exitsOf(orderId)).toHaveLength(2);
  expect(await tenant.audit()).toEqual([]);

  live.venue.change(sent.ourId, { state: 'closed', fills: [fill(0, 2n, 100), fill(1, 1n, 100), fill(2, 1n, 100)] });
  await due(orderId);
  const done = await ended(orderId);
  expect(done.operatorExitMoney).toMatchObject({ sellProceeds: '2.12', venueFeeKnown: true });
  const parts = (await exitsOf(orderId)).map(({ sellProceeds }) => Math.round(Number(sellProceeds) * 100));
  expect(parts).toHaveLength(3);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(212);
  expect(await tenant.audit()).toEqual([]);
});

// contract 13.13
test('a fee that becomes known after everything was sold says what it takes from the profit', async () => {
  live.venue.script = (order) => live.venue.fillWhole(order, null);
  const bought = await tenant.place('hal', { reserveReference: 'r' });
  const { orderId, filledQuantity: contracts } = bought.body;
  expect(bought.body).toMatchObject({ status: 'partially_filled', operatorMoney: { actualDebit: '0.00' } });
  live.venue.script = (order) => live.venue.fillWhole(order);
  const sold = await tenant.place('hal', { reserveReference: 'r' }, { action: 'sell', stake: undefined, contracts });
  expect(sold.body).toMatchObject({ status: 'filled' });

  const [sent] = (await live.sentOf(orderId)) as [OrderToPlace];
  live.venue.change(sent.ourId, { fills: [live.venue.fill(sent, 0, sent.quantityMicros, 100)] });
  await due(orderId);
  await ended(orderId);
  const { body } = await live.request('GET', '/api/v1/reconciliation/feed?externalUserId=hal&limit=500', {
    key: tenant.key,
  });
  const late = body.items.filter(
    ({ type, orderId: of, detail }: AnyJson) => type === 'fee.assessed' && of === orderId && 'realisedPnl' in detail,
  );
  expect(late.map(({ detail }: AnyJson) => detail.kind)).toContain('venue');
  const cents = (text: string) => Math.round(Number(text) * 100);
  for (const { money, detail } of late) {
    expect(cents(detail.realisedPnl)).toBe(-cents(money.amount));
  }
  const told = body.items
    .filter(({ detail }: AnyJson) => detail.realisedPnl !== undefined)
    .reduce((sum: number, { detail }: AnyJson) => sum + cents(detail.realisedPnl), 0);
  const positions = await live.request('GET', '/api/v1/positions?externalUserId=hal', { key: tenant.key });
  expect(positions.body.positions).toMatchObject([{ status: 'closed', quantity: 0 }]);
  expect(told).toBe(cents(positions.body.positions[0].operatorMoney.realisedPnl));
  expect(await tenant.audit()).toEqual([]);

  // with contracts still held the fee is their cost, and no profit moves
  live.venue.script = (order) => live.venue.fillWhole(order, null);
  const held = await tenant.place('ian', { reserveReference: 'r' });
  const costBasis = async () =>
    (await live.request('GET', '/api/v1/positions?externalUserId=ian', { key: tenant.key })).body.positions[0]
      .operatorMoney.costBasis;
  const before = await costBasis();
  const [other] = (await live.sentOf(held.body.orderId)) as [OrderToPlace];
  live.venue.change(other.ourId, { fills: [live.venue.fill(other, 0, other.quantityMicros, 100)] });
  await due(held.body.orderId);
  const done = await ended(held.body.orderId);
  expect(cents(await costBasis())).toBe(cents(done.operatorMoney.actualDebit));
  expect(cents(await costBasis())).toBeGreaterThan(cents(before));
  const fees = await itemsOf(held.body.orderId, 'fee.assessed');
  expect(fees.filter(({ detail }) => detail.realisedPnl !== undefined)).toEqual([]);
});

// contract 26.12
test('an order that the venue acknowledged as working has order.completed, also if it then fills whole', async () => {
  live.venue.script = (order) => live.venue.accept(order, [], 'working');
  const placed = await tenant.place('fay', { reserveReference: 'r' });
  expect(placed.body).toMatchObject({ status: 'submitted' });
  const { orderId } = placed.body;
  const [sent] = (await live.sentOf(orderId)) as [OrderToPlace];
  live.venue.change(sent.ourId, { state: 'closed', fills: [live.venue.fill(sent, 0, sent.quantityMicros, 0)] });
  await due(orderId);
  expect(await ended(orderId)).toMatchObject({ status: 'filled' });
  expect(await tenant.events(orderId)).toEqual(['order.intent_recorded', 'order.filled', 'order.completed']);
  expect(await eventsOf(orderId)).toMatchObject([{ final: true, partial: false }]);

  live.venue.script = (order) => live.venue.fillWhole(order);
  const atOnce = await tenant.place('fay', { reserveReference: 'r' });
  expect(await tenant.events(atOnce.body.orderId)).toEqual(['order.intent_recorded', 'order.filled']);
});

// contract 11.6, contract 26.14
test('a withdrawn order has cancelReason and no rejectReason, and order.cancelled names order, customer and action', async () => {
  await tenant.place('gus', { reserveReference: 'r' }, { stake: 20 });
  const cancelled = async (orderId: string) => (await eventsOf(orderId, 'order.cancelled'))[0];
  const lastReason = async (orderId: string) =>
    (await itemsOf(orderId, 'order.state_changed')).at(-1)?.detail['reason'];
  const asked = await tenant.place('gus', {}, { action: 'sell', stake: undefined, contracts: 2 });
  expect(asked.body).toMatchObject({ cancelReason: null, rejectReason: null, externalUserId: 'gus' });
  const { orderId, clientOrderId } = asked.body;
  expect((await tenant.cancel(orderId)).body).toMatchObject({ authorizationAmount: '0.00', releaseAmount: '0.00' });
  expect(await tenant.read(orderId)).toMatchObject({
    status: 'cancelled',
    externalUserId: 'gus',
    rejectReason: null,
    cancelReason: 'operator_request',
    intent: { reason: 'operator_request' },
  });
  expect(await cancelled(orderId)).toMatchObject({
    clientOrderId,
    externalUserId: 'gus',
    action: 'sell',
    authorizationAmount: '0.00',
    actualDebit: '0.00',
    releaseAmount: '0.00',
    reason: 'operator_request',
  });

  await tenant.set('execution_confirmed', false);
  const waits = await tenant.place('gus');
  await tenant.confirm(waits.body.orderId);
  await tenant.set('trading_paused', true);
  const withdrawn = await until(
    () => tenant.read(waits.body.orderId),
    (one) => one.status === 'cancelled',
  );
  await tenant.set('trading_paused', false);
  await tenant.set('execution_confirmed', true);
  expect(withdrawn).toMatchObject({
    rejectReason: null,
    cancelReason: 'trading_paused',
    intent: { reason: 'trading_paused' },
  });
  expect(await cancelled(waits.body.orderId)).toMatchObject({ reason: 'trading_paused', action: 'buy' });

  live.venue.script = (order) => live.venue.accept(order, [], 'closed');
  const closed = await tenant.place('gus', { reserveReference: 'r' });
  expect(closed.body).toMatchObject({ status: 'cancelled', rejectReason: null, cancelReason: 'closed_unfilled' });
  expect(await lastReason(orderId)).toBe('operator_request');
  expect(await lastReason(waits.body.orderId)).toBe('trading_paused');
  expect(await lastReason(closed.body.orderId)).toBe('closed_unfilled');
  const listed = await live.request('GET', '/api/v1/orders?limit=1', { key: tenant.key });
  expect(listed.body.orders[0]).toMatchObject({ externalUserId: 'gus', cancelReason: 'closed_unfilled' });
});

// contract 1.14, contract 11.5
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
  const items = (await itemsOf(orderId)).map(({ detail }) => detail);
  const events = await readEventsOf(live.sql, tenant.operator.operatorId, orderId);
  expect(events).not.toEqual([]);
  for (const told of [...items, ...events]) {
    expect(JSON.stringify(told)).not.toMatch(/polymarket|paper|8f14e45f/i);
  }
});

// contract 22.6
test('an exit agrees with the venue’s own record, disagrees, or nothing is known', async () => {
  const agrees = async (orderId: string) => (await itemsOf(orderId, 'position.exited'))[0]?.detail.venueAgrees;
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
  const report = await live.request('GET', '/api/v1/reconciliation', { key: tenant.key });
  expect(report.body.venueAgreement).toMatchObject({ disagrees: 1, unknown: 1 });
  expect(report.body.findings.map(({ check }: { check: string }) => check)).toContain('venue_agreement');
});

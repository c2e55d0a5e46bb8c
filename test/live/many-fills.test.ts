/** Live sells of many fills: each is recorded whole, to the cent, with fees that venues round up fill by fill. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEntries, readItems } from '../support/items.ts';
import { setBook } from '../support/market.ts';
import { cents } from '../support/operator-books.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
beforeAll(async () => {
  live = await openLive();
});
afterAll(() => live.close());

async function holder(): Promise<Tenant> {
  live.venue.script = (order, venue) => venue.fillWhole(order);
  await setBook(live.sql, live.market, { bids: [['0.55', '100000']], asks: [['0.57', '100000']] });
  await live.context.board.refresh();
  const tenant = await live.tenant();
  const bought = await tenant.place('ana', { intent: 'record_intent', reserveReference: 'r' }, { stake: 100 });
  expect(bought.body.status, bought.text).toBe('filled');
  return tenant;
}

async function exits(tenant: Tenant, orderId: string) {
  const items = await readItems(live.sql, tenant.operator.operatorId);
  return items
    .filter((item) => item.orderId === orderId && item.type === 'position.exited')
    .map(({ positionId, money }) => ({
      positionId,
      proceeds: cents(money.sellProceeds),
      venueFee: cents(money.venueFee),
      platformFee: cents(money.platformFee),
    }));
}

test('a sell whose last fill costs more than it brings is recorded, and its parts add up to the order', async () => {
  const tenant = await holder();
  await setBook(live.sql, live.market, {
    bids: [
      ['0.50', '1'],
      ['0.49', '1000'],
    ],
    asks: [['0.57', '100000']],
  });
  await live.context.board.refresh();
  live.venue.script = (order, venue) => {
    const first = { ...venue.fill(order, 0, 1_000_000n, 0), priceMicros: 500_000n, feeMicros: 10_000n };
    // no cent of notional, a cent of fee
    const second = { ...venue.fill(order, 1, 10_000n, 0), priceMicros: 490_000n, feeMicros: 10_000n };
    const answer = venue.accept(order, [], 'closed');
    venue.change(order.ourId, { fills: [first, second] });
    return { ...answer, order: venue.orders.get(order.ourId) ?? null } as typeof answer;
  };
  const sold = await tenant.place(
    'ana',
    { intent: 'record_intent', reserveReference: 'r' },
    { action: 'sell', stake: undefined, contracts: 1.01 },
  );
  expect([sold.status, sold.body.status, sold.body.transmissionState], sold.text).toEqual([201, 'filled', 'resolved']);
  // notional 0.50, venue 0.02, platform 0.01
  expect(sold.body.operatorExitMoney).toMatchObject({ sellProceeds: '0.47', venueFee: '0.02', platformFee: '0.01' });
  const parts = await exits(tenant, sold.body.orderId);
  expect(parts).toHaveLength(2);
  expect(parts.reduce((sum, part) => sum + part.proceeds, 0n)).toBe(47n);
  expect(parts.reduce((sum, part) => sum + part.venueFee, 0n)).toBe(2n);
  expect(parts.every((part) => part.proceeds >= 0n && part.venueFee >= 0n && part.platformFee >= 0n)).toBe(true);
  expect(await tenant.audit()).toEqual([]);
});

test('a fill that costs a cent more than it brings takes back nothing of an earlier answer: the cent is ours', async () => {
  const tenant = await holder();
  await setBook(live.sql, live.market, { bids: [['0.50', '1000']], asks: [['0.57', '100000']] });
  await live.context.board.refresh();
  live.venue.script = (order, venue) => venue.accept(order, [1_000_000n], 'working', 0);
  const sold = await tenant.place(
    'ana',
    { intent: 'record_intent', reserveReference: 'r' },
    { action: 'sell', stake: undefined, contracts: 1.01 },
  );
  expect(sold.status).toBe(201);
  const { orderId } = sold.body;
  await until(
    () => exits(tenant, orderId),
    (parts) => parts.length === 1,
  );
  const [ourId] = (
    await live.sql<{ ourId: string }[]>`select our_id from transmissions where order_id = ${orderId}`
  ).map((row) => row.ourId);
  const sent = live.venue.received.get(ourId ?? '')?.[0];
  expect(sent).toBeDefined();
  if (sent !== undefined) {
    live.venue.change(sent.ourId, {
      state: 'closed',
      fills: [live.venue.fill(sent, 0, 1_000_000n, 0), { ...live.venue.fill(sent, 1, 10_000n, 0), feeMicros: 10_000n }],
    });
  }
  const done = await until(
    () => tenant.read(orderId),
    (order) => order.transmissionState === 'resolved',
    20_000,
  );
  expect(done.operatorExitMoney).toMatchObject({ sellProceeds: '0.49', venueFee: '0.00', platformFee: '0.01' });
  expect((await exits(tenant, orderId)).map((part) => part.proceeds)).toEqual([49n, 0n]);
  expect(await tenant.audit()).toEqual([]);
});

test('a sell of 200 fills records every fact under its position', async () => {
  const tenant = await holder();
  live.venue.script = (order, venue) =>
    venue.accept(
      order,
      Array.from({ length: 200 }, () => order.quantityMicros / 200n),
      'closed',
      100,
    );
  const sold = await tenant.place(
    'ana',
    { intent: 'record_intent', reserveReference: 'r' },
    { action: 'sell', stake: undefined, contracts: 160 },
  );
  expect([sold.status, sold.body.status], sold.text).toEqual([201, 'filled']);
  const items = (await readItems(live.sql, tenant.operator.operatorId)).filter(
    ({ type, orderId }) =>
      orderId === sold.body.orderId && ['position.exited', 'order.filled', 'fee.assessed'].includes(type),
  );
  expect(items.filter(({ positionId }) => positionId === null)).toEqual([]);
  const counts = Map.groupBy(items, ({ type }) => type);
  expect(counts.get('position.exited')).toHaveLength(200);
  expect(counts.get('order.filled')).toHaveLength(200);
  expect(counts.get('fee.assessed')).toBeDefined();
  const entries = (await readEntries(live.sql, tenant.operator.operatorId)).filter(
    ({ referenceId, movementType }) => referenceId === sold.body.orderId && movementType === 'POSITION_EXIT',
  );
  expect(entries).toHaveLength(200);
  expect(await tenant.audit()).toEqual([]);
});

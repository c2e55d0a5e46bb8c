/** Live sells of many fills: each is recorded whole, to the cent, with fees that venues round up fill by fill. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Live, startLive, type Tenant } from '../support/live.ts';
import { setBook } from '../support/market.ts';
import { until } from '../support/until.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive();
});
afterAll(() => live.close());

async function holder(): Promise<Tenant> {
  live.venue.script = (order, venue) => venue.fillWhole(order);
  await setBook(live.service.sql, live.market, { bids: [['0.55', '100000']], asks: [['0.57', '100000']] });
  await live.service.context.board.refresh();
  const tenant = await live.tenant();
  const bought = await tenant.place('ana', { intent: 'record_intent', reserveReference: 'r' }, { stake: 100 });
  expect(bought.body.status, bought.text).toBe('filled');
  return tenant;
}

async function exits(tenant: Tenant, orderId: string) {
  return live.service.sql<{ positionId: string | null; proceeds: bigint; venueFee: bigint; platformFee: bigint }[]>`
    select position_id, ((money ->> 'sellProceeds')::numeric * 100)::bigint as proceeds,
      ((money ->> 'venueFee')::numeric * 100)::bigint as venue_fee, ((money ->> 'platformFee')::numeric * 100)::bigint as platform_fee
    from feed_items where operator_id = ${tenant.operator.operatorId} and order_id = ${orderId} and type = 'position.exited' order by position`;
}

test('a sell whose last fill costs more than it brings is recorded, and its parts add up to the order', async () => {
  const tenant = await holder();
  await setBook(live.service.sql, live.market, {
    bids: [
      ['0.50', '1'],
      ['0.49', '1000'],
    ],
    asks: [['0.57', '100000']],
  });
  await live.service.context.board.refresh();
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
  await setBook(live.service.sql, live.market, { bids: [['0.50', '1000']], asks: [['0.57', '100000']] });
  await live.service.context.board.refresh();
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
    await live.service.sql<{ ourId: string }[]>`select our_id from transmissions where order_id = ${orderId}`
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
  const counts = await live.service.sql`
    select type, count(*)::int as items, count(position_id)::int as with_position from feed_items
    where operator_id = ${tenant.operator.operatorId} and order_id = ${sold.body.orderId} and type in ('position.exited', 'order.filled', 'fee.assessed')
    group by type order by type`;
  expect(counts[2]).toEqual({ type: 'position.exited', items: 200, withPosition: 200 });
  expect(counts[1]).toEqual({ type: 'order.filled', items: 200, withPosition: 200 });
  expect(counts[0]?.['items']).toBe(counts[0]?.['withPosition']);
  const [entries] = await live.service.sql`
    select count(*)::int as entries from ledger_entries
    where operator_id = ${tenant.operator.operatorId} and reference_id = ${sold.body.orderId} and movement_type = 'POSITION_EXIT'`;
  expect(entries?.['entries']).toBe(200);
  expect(await tenant.audit()).toEqual([]);
});

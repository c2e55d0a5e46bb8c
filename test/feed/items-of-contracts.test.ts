/** What the feed says of an order besides its money: whether that is final, under which id it was placed, and which contract it is about (contract 21.7). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import type { AnyJson } from '../support/any-json.ts';
import { createSentOrders } from '../support/sent-orders.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive();
});
afterAll(() => live.close());

const { send, ended, asked } = createSentOrders(
  () => live,
  () => tenant,
);
const feed = async (): Promise<AnyJson[]> =>
  (await live.request('GET', '/api/v1/reconciliation/feed?limit=500', { key: tenant.key })).body.items;
const moneyOf = (items: readonly AnyJson[], orderId: string) =>
  items
    .filter(({ type, orderId: of }) => type === 'order.state_changed' && of === orderId)
    .map(({ money, detail }) => [detail.orderStatus, detail.settlementState, money.actualDebit, money.releaseAmount]);

// contract 21.9
test('the money of a buy that is still filling reads as released, and settlementState says that it is not final', async () => {
  tenant = await live.tenant();
  live.venue.script = (order) => live.venue.accept(order, [], 'working');
  const { orderId, sent } = await send();
  live.venue.change(sent.ourId, { fills: [live.venue.fill(sent, 0, 5_000_000n, 0)] });
  await asked(orderId);
  await until(
    () => tenant.read(orderId),
    (one) => one.filledQuantity === 5,
  );
  live.venue.change(sent.ourId, { state: 'closed' });
  await asked(orderId);
  const order = await ended(orderId);
  const items = await feed();
  expect(moneyOf(items, orderId)).toEqual([
    ['reserve_pending', 'pending', '0.00', '10.00'],
    ['pending_venue_execution', 'pending', '0.00', '10.00'],
    ['submitted', 'pending', '0.00', '10.00'],
    ['partially_filled', 'pending', '0.00', '10.00'],
    ['partially_filled', 'settled', order.operatorMoney.actualDebit, order.operatorMoney.releaseAmount],
  ]);
  const last = items.findLast(({ type }) => type === 'order.state_changed');
  expect(last.detail).toMatchObject({
    transmissionState: 'resolved',
    clientOrderId: order.clientOrderId,
    contractId: live.market.contractId,
  });
});

// contract 21.7, contract 21.14
test('reserves and holdings are rebuilt from the feed alone, by clientOrderId and by contract', async () => {
  tenant = await live.tenant({ mode: 'sandbox' });
  const market = await live.openMarket(`rebuilt${Date.now()}`);
  const marketId = market.contractId;
  const clientOrderId = String.raw`cart "7" \t of Zoë, 2nd`;
  const bought = await tenant.place('ana', { clientOrderId }, { marketId, stake: 20 });
  expect(bought.body, bought.text).toMatchObject({ status: 'filled', clientOrderId });
  await tenant.place('ana', {}, { marketId, action: 'sell', stake: undefined, contracts: 3 });

  const holdings = (items: readonly AnyJson[]) => {
    const held: Record<string, number> = {};
    const orders = new Map<string, AnyJson>();
    for (const { type, detail, orderId } of items) {
      if (type === 'order.state_changed') {
        orders.set(orderId, detail);
      } else if (type === 'order.filled' && orders.get(orderId).action === 'buy') {
        const { contractId, side } = orders.get(orderId);
        held[`${contractId} ${side}`] = (held[`${contractId} ${side}`] ?? 0) + detail.quantity;
      } else if (type === 'position.exited' || type === 'position.settled') {
        const key = `${detail.contractId} ${detail.side}`;
        held[key] = Number(((held[key] ?? 0) - (detail.quantity ?? detail.contracts)).toFixed(6));
      }
    }
    return held;
  };
  const items = await feed();
  const first = items.find(({ type }) => type === 'order.state_changed');
  expect(first.detail).toMatchObject({ settlementState: 'settled', transmissionState: 'resolved', clientOrderId });
  expect(items.find(({ type }) => type === 'position.exited').detail.contractId).toBe(marketId);
  const left = Number((bought.body.filledQuantity - 3).toFixed(6));
  expect(holdings(items)).toEqual({ [`${marketId} YES`]: left });

  await live.sql`select * from decide_market(${marketId}, 'resolve', 'YES', null)`;
  expect(await settleMarket(live.sql, marketId)).toBe(1);
  const after = await feed();
  expect(after.find(({ type }) => type === 'position.settled').detail.contractId).toBe(marketId);
  expect(holdings(after)).toEqual({ [`${marketId} YES`]: 0 });
  expect(await tenant.audit()).toEqual([]);
});

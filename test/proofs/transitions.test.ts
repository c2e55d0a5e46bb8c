/**
 * The order's states, row by row: every transition of contract 12.2 to 12.15, through HTTP and a scripted
 * venue; and what feed and webhooks tell of each. What they do not allow: `refused-moves.test.ts`.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { seedMarket, setBook } from '../support/market.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';
import { CONFIRMED, half, NOTHING_BOOKED, RECORDED, ROWS, SENT, STATES, settled } from './order-states.ts';

let live: Live;
beforeAll(async () => {
  live = await openLive();
});
afterAll(() => live.close());
beforeEach(() => {
  live.venue.script = (order) => live.venue.fillWhole(order);
});

describe('a live order', () => {
  // contract 12.1, contract 12.16, contract 12.17, contract 12.18, contract 21.8
  test.each(ROWS)('$state', async ({ state, told, events, settlementState, nothing, sends }) => {
    const tenant = await live.tenant();
    const orderId = await STATES[state](tenant, live);
    expect(await tenant.told(orderId)).toEqual(told);
    expect(await tenant.events(orderId)).toEqual(['order.intent_recorded', ...events]);
    const order = await tenant.read(orderId);
    expect(order.settlementState).toBe(settlementState);
    expect(order.operatorMoney.authorizationAmount).toBe('10.00');
    if (nothing) {
      expect(order.operatorMoney).toMatchObject(NOTHING_BOOKED);
    } else {
      expect(order.operatorMoney.actualDebit).not.toBe('0.00');
    }
    expect(await live.sentOf(orderId)).toHaveLength(sends);
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 10.10, contract 12.3
  test('with reserveReference is confirmed in the same call', async () => {
    const tenant = await live.tenant({ executionConfirmed: false });
    const placed = await tenant.place('ana', { reserveReference: 'hold-7' });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({ status: 'pending_venue_execution', transmissionState: 'not_transmitted' });
    expect(await tenant.told(placed.body.orderId)).toEqual(['>pending_venue_execution']);
    expect((await tenant.read(placed.body.orderId)).intent).toMatchObject({ reserveReference: 'hold-7' });
    expect((await tenant.cancel(placed.body.orderId)).body).toMatchObject({
      actualDebit: '0.00',
      releaseAmount: '10.00',
    });
    expect(await tenant.told(placed.body.orderId)).toEqual([
      '>pending_venue_execution',
      'pending_venue_execution>cancelled',
    ]);
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 12.9, contract 26.11
  test('partially filled, then matched: filled, completed', async () => {
    const tenant = await live.tenant();
    const orderId = await STATES['partially_filled, working'](tenant, live);
    const [sent] = await live.sentOf(orderId);
    const order = sent as OrderToPlace;
    const rest = order.quantityMicros - half(order);
    live.venue.change(order.ourId, {
      state: 'closed',
      fills: [live.venue.fill(order, 0, half(order), 100), live.venue.fill(order, 1, rest, 100)],
    });
    await settled(tenant, orderId, 'filled', 'resolved');
    expect((await tenant.told(orderId)).at(-1)).toBe('partially_filled>filled');
    expect(await tenant.events(orderId)).toEqual([
      'order.intent_recorded',
      'order.filled',
      'order.filled',
      'order.completed',
    ]);
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 12.9, contract 12.13
  test('partially filled, then closed: it stays so, resolved, and the rest is released', async () => {
    const tenant = await live.tenant();
    const orderId = await STATES['partially_filled, working'](tenant, live);
    const [sent] = await live.sentOf(orderId);
    live.venue.change(sent?.ourId ?? '', { state: 'closed' });
    const order = await settled(tenant, orderId, 'partially_filled', 'resolved');
    expect(order.settlementState).toBe('settled');
    expect(Number(order.operatorMoney.releaseAmount)).toBeGreaterThan(4);
    expect((await tenant.told(orderId)).at(-1)).toBe('partially_filled>partially_filled');
    expect(await tenant.events(orderId)).toEqual(['order.intent_recorded', 'order.filled', 'order.completed']);
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 12.11, contract 12.16, contract 18.2
  test('silence is 409, stays submitted, and the authorization stays held', async () => {
    const tenant = await live.tenant();
    live.venue.script = () => live.venue.silence();
    const refused = await tenant.place('ana', { reserveReference: 'r' });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toBe('reconciliation_required');
    const order = await tenant.read(refused.body.orderId);
    expect(order).toMatchObject({ status: 'submitted', settlementState: 'pending', transmissionState: 'unknown' });
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 12.7, contract 18.1
  test('with a shut gate it stays where it is, behind either gate', async () => {
    const account = await live.tenant({ executionConfirmed: false });
    const arming = await live.tenant({ arming: 'manual' });
    const orders = await Promise.all([account, arming].map((tenant) => tenant.place('ana', { reserveReference: 'r' })));
    await timePasses(600);
    expect(orders.map((one) => one.body.status)).toEqual(['pending_venue_execution', 'pending_venue_execution']);
    expect((await account.read(orders[0]?.body.orderId)).transmissionState).toBe('not_transmitted');
    expect((await arming.read(orders[1]?.body.orderId)).transmissionState).toBe('not_transmitted');
    expect([...(await live.sentOf(orders[0]?.body.orderId)), ...(await live.sentOf(orders[1]?.body.orderId))]).toEqual(
      [],
    );
  });

  // contract 10.6, contract 12.14
  test('a refused one keeps its key: a retry is the same order', async () => {
    const tenant = await live.tenant();
    live.venue.script = () => ({ outcome: 'rejected', reason: 'market halted', order: null });
    const quoted = await tenant.quote('ana');
    const body = { quoteId: quoted.body.quoteId, clientOrderId: 'once', reserveReference: 'r' };
    const first = await tenant.order('ana', body);
    expect(first.body.status).toBe('rejected');
    live.venue.script = (order) => live.venue.fillWhole(order);
    const again = await tenant.order('ana', body);
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first.body, idempotentReplay: true });
    expect(await live.sentOf(first.body.orderId)).toHaveLength(1);
  });
});

// contract 12.6, contract 12.15, contract 20.6
describe('withdrawn while it waits, with the code as reason', () => {
  type Withdraw = readonly [reason: string, breach: (tenant: Tenant) => Promise<unknown>];
  const sql = () => live.sql;
  const WITHDRAWALS: readonly Withdraw[] = [
    ['trading_paused', (tenant) => tenant.set('trading_paused', true)],
    ['operator_suspended', (tenant) => tenant.set('status', 'suspended')],
    [
      'user_suspended',
      (tenant) => sql()`update customers set status = 'suspended' where operator_id = ${tenant.operator.operatorId}`,
    ],
    ['over_order_limit', (tenant) => tenant.set('max_order_minor', 999n)],
    ['over_tenant_exposure', (tenant) => tenant.set('player_exposure_minor', 999n)],
    ['over_tenant_exposure', (tenant) => tenant.set('total_exposure_minor', 999n)],
  ];
  test.each(WITHDRAWALS)('%s', async (reason, breach) => {
    const tenant = await live.tenant({ executionConfirmed: false });
    const orderId = (await tenant.place('ana', { reserveReference: 'r' })).body.orderId;
    await breach(tenant);
    await tenant.set('execution_confirmed', true);
    const [row] = await until(
      () => sql()`select status, transmission_state, cancel_reason from orders where order_id = ${orderId}`,
      ([one]) => one?.['status'] === 'cancelled',
    );
    expect(row).toEqual({ status: 'cancelled', transmissionState: 'not_transmitted', cancelReason: reason });
    expect(await tenant.events(orderId)).toEqual(['order.intent_recorded', 'order.cancelled']);
    expect(await live.sentOf(orderId)).toEqual([]);
    expect(await tenant.audit()).toEqual([]);
  });

  test.each([
    ['player_orders', 1],
    ['total_orders', 1],
  ])('%s', async (column, cap) => {
    const tenant = await live.tenant({ executionConfirmed: false });
    const orders: string[] = [];
    for (const user of ['ana', 'ana', 'ana']) {
      orders.push((await tenant.place(user, { reserveReference: 'r' })).body.orderId as string);
    }
    await tenant.set(column, cap);
    await tenant.set('execution_confirmed', true);
    const states = await until(
      () => Promise.all(orders.map(async (id) => (await tenant.read(id)).status)),
      (all) => all.every((status) => status === 'filled' || status === 'cancelled'),
    );
    expect(states.toSorted()).toEqual(['cancelled', 'cancelled', 'filled']);
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 12.15
  test('market_not_open, of a confirmed and of an unconfirmed one', async () => {
    const tenant = await live.tenant({ executionConfirmed: false });
    const market = await seedMarket(sql(), 'closing');
    const marketId = market.contractId;
    const orders = [
      (await tenant.place('ana', { reserveReference: 'r' }, { marketId })).body.orderId,
      (await tenant.place('ana', {}, { marketId })).body.orderId,
    ];
    await sql()`select * from decide_market(${marketId}, 'resolve', 'YES', null)`;
    for (const orderId of orders) {
      await settled(tenant, orderId, 'cancelled', 'not_transmitted');
    }
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 13.7, contract 13.8
  test('price_moved and below_venue_minimum, found by the walk before sending', async () => {
    const tenant = await live.tenant({ executionConfirmed: false });
    const market = await seedMarket(sql(), 'walked');
    const marketId = market.contractId;
    const orderId = (await tenant.place('ana', { reserveReference: 'r' }, { marketId })).body.orderId;
    await setBook(sql(), market, { bids: [['0.60', '1000']], asks: [['0.62', '1000']] });
    await live.renewJob();
    await tenant.set('execution_confirmed', true);
    await settled(tenant, orderId, 'cancelled', 'not_transmitted');
    const [row] = await sql()`select cancel_reason from orders where order_id = ${orderId}`;
    expect(row?.['cancelReason']).toBe('price_moved');
    expect(await tenant.audit()).toEqual([]);
  });
});

describe('a simulated order is made in its last state', () => {
  const scenario = (tenant: Tenant, fillFraction: number) =>
    live.request('POST', '/api/v1/sandbox/scenarios', {
      key: tenant.key,
      body: { kind: 'partial_fill', fillFraction },
    });

  test('filled', async () => {
    const tenant = await live.tenant({ mode: 'sandbox' });
    const placed = await tenant.place('ana');
    expect(placed.body).toMatchObject({ status: 'filled', transmissionState: 'resolved', settlementState: 'settled' });
    expect(await tenant.told(placed.body.orderId)).toEqual(['>filled']);
    expect(await tenant.events(placed.body.orderId)).toEqual(['order.filled']);
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 12.13
  test('partially_filled, with the rest released', async () => {
    const tenant = await live.tenant({ mode: 'sandbox' });
    await scenario(tenant, 0.5);
    const placed = await tenant.place('ana');
    expect(placed.body).toMatchObject({
      status: 'partially_filled',
      transmissionState: 'resolved',
      settlementState: 'settled',
    });
    expect(await tenant.told(placed.body.orderId)).toEqual(['>partially_filled']);
    expect(await tenant.events(placed.body.orderId)).toEqual(['order.filled', 'order.completed']);
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 12.13
  test('cancelled, where the scenario fills nothing', async () => {
    const tenant = await live.tenant({ mode: 'sandbox' });
    await scenario(tenant, 0.00000001);
    const placed = await tenant.place('ana');
    expect(placed.body).toMatchObject({
      status: 'cancelled',
      transmissionState: 'resolved',
      operatorMoney: NOTHING_BOOKED,
    });
    expect(await tenant.told(placed.body.orderId)).toEqual(['>cancelled']);
    expect((await tenant.cancel(placed.body.orderId)).body).toMatchObject({
      error: 'order_not_cancellable',
      transmissionState: 'resolved',
    });
    expect((await tenant.confirm(placed.body.orderId)).body.error).toBe('not_an_intent');
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 12.4, contract 12.13
  test('rejected, where the book moved; the key is used and replays', async () => {
    const tenant = await live.tenant({ mode: 'sandbox' });
    const market = await live.openMarket('moved');
    const quoted = await tenant.quote('ana', { marketId: market.contractId });
    await setBook(live.sql, market, { bids: [['0.60', '1000']], asks: [['0.62', '1000']] });
    const body = { quoteId: quoted.body.quoteId, clientOrderId: 'moved' };
    const refused = await tenant.order('ana', body);
    expect([refused.status, refused.body.error]).toEqual([409, 'price_moved']);
    const replay = await tenant.order('ana', body);
    expect([replay.status, replay.body.status]).toEqual([200, 'rejected']);
    expect(await tenant.told(replay.body.orderId)).toEqual(['>rejected']);
    expect(await tenant.events(replay.body.orderId)).toEqual(['order.rejected']);
    for (const refusal of [await tenant.confirm(replay.body.orderId), await tenant.cancel(replay.body.orderId)]) {
      expect(refusal.status).toBe(409);
    }
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 32.17
  test('a sandbox intent takes the two steps and is filled by the service, never sent', async () => {
    const tenant = await live.tenant({ mode: 'sandbox' });
    const placed = await tenant.place('ana', { executionIntent: 'record_intent' });
    expect(placed.body.status).toBe('reserve_pending');
    expect(await tenant.audit()).toEqual([]);
    await tenant.confirm(placed.body.orderId);
    await settled(tenant, placed.body.orderId, 'filled', 'resolved');
    expect(await tenant.told(placed.body.orderId)).toEqual([RECORDED, CONFIRMED, SENT, 'submitted>filled']);
    expect(await live.sentOf(placed.body.orderId)).toEqual([]);
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 32.17
  test('a sandbox intent that is cancelled gives the wallet its hold back', async () => {
    const tenant = await live.tenant({ mode: 'sandbox', executionConfirmed: false });
    const placed = await tenant.place('ana', { executionIntent: 'record_intent', reserveReference: 'r' });
    expect(placed.body.status).toBe('pending_venue_execution');
    expect((await tenant.cancel(placed.body.orderId)).body.releaseAmount).toBe('10.00');
    const balance = await live.request('GET', '/api/v1/users/ana/balance', { key: tenant.key });
    expect(balance.body).toMatchObject({ available: '10000.00', held: '0.00', total: '10000.00' });
    expect(await tenant.audit()).toEqual([]);
  });
});

/** A reader of a refusal or of a withdrawn order learns why, with the fact that is needed to do better. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readEventsOf } from '../support/events.ts';
import { seedMarket, setBook } from '../support/market.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
beforeAll(async () => {
  live = await openLive();
});
afterAll(() => live.close());
beforeEach(() => {
  live.venue.script = () => ({ outcome: 'rejected', reason: 'market halted', order: null });
});

const sql = () => live.sql;

async function eventOf(tenant: Tenant, orderId: string, type: string) {
  const events = await readEventsOf(sql(), tenant.operator.operatorId, orderId);
  return events.find((event) => event.type === type)?.data;
}

// contract 11.5, contract 11.6
test('a withdrawn order carries its reason in cancelReason and intent.reason', async () => {
  const tenant = await live.tenant({ executionConfirmed: false });
  const market = await seedMarket(sql(), 'reasons');
  await live.context.board.refresh();
  const marketId = market.contractId;
  const { body } = await tenant.place('ana', { reserveReference: 'r' }, { marketId });
  await setBook(sql(), market, { bids: [['0.60', '1000']], asks: [['0.62', '1000']] });
  // the worker's board hears of it when this one does
  await until(
    async () => live.context.board.contracts.get(marketId)?.books[0]?.asks[0]?.priceMicros,
    (price) => price === 620_000n,
  );
  await tenant.set('execution_confirmed', true);
  const withdrawn = await until(
    () => tenant.read(body.orderId),
    ({ status }) => status === 'cancelled',
  );
  expect(withdrawn).toMatchObject({
    rejectReason: null,
    cancelReason: 'price_moved',
    intent: { reason: 'price_moved' },
  });
  expect(await eventOf(tenant, body.orderId, 'order.cancelled')).toMatchObject({ reason: 'price_moved' });
  const replay = await tenant.order('ana', { quoteId: body.quoteId ?? 'any', clientOrderId: body.clientOrderId });
  expect([200, 409]).toContain(replay.status);

  // an operator that cancels knows why; the reason is on the intent, and nothing was rejected
  const own = await tenant.place('ana');
  await tenant.cancel(own.body.orderId);
  expect(await tenant.read(own.body.orderId)).toMatchObject({
    status: 'cancelled',
    rejectReason: null,
    cancelReason: 'operator_request',
    intent: { reason: 'operator_request' },
  });
  const open = await tenant.place('ana');
  expect((await tenant.read(open.body.orderId)).intent.reason).toBeNull();
});

test('order.rejected.reason is the order’s rejectReason, word for word', async () => {
  const tenant = await live.tenant();
  for (const reason of ['market halted', null]) {
    live.venue.script = () => ({ outcome: 'rejected', reason: reason as string, order: null });
    const { body } = await tenant.place('ana', { reserveReference: 'r' });
    const rejected = await until(
      () => tenant.read(body.orderId),
      ({ status }) => status === 'rejected',
    );
    expect(rejected.rejectReason).toContain(rejected.executionRef);
    expect((await eventOf(tenant, body.orderId, 'order.rejected'))?.['reason']).toBe(rejected.rejectReason);
  }
  const sandbox = await live.tenant({ mode: 'sandbox' });
  const market = await seedMarket(sql(), 'moving');
  await live.context.board.refresh();
  const quoted = await sandbox.quote('ana', { marketId: market.contractId });
  await setBook(sql(), market, { bids: [['0.80', '1000']], asks: [['0.82', '1000']] });
  await live.context.board.refresh();
  const moved = await sandbox.order('ana', { quoteId: quoted.body.quoteId, clientOrderId: 'moved' });
  expect(moved.body.error).toBe('price_moved');
  const order = await sandbox.read(moved.body.orderId);
  expect((await eventOf(sandbox, order.orderId, 'order.rejected'))?.['reason']).toBe(order.rejectReason);
});

test('below_venue_minimum names the minimum and the stake that passes', async () => {
  const tenant = await live.tenant();
  const refused = await tenant.quote('ana', { stake: 0.5 });
  expect([refused.status, refused.body.error]).toEqual([422, 'below_venue_minimum']);
  expect(refused.body.message).toBe(
    '0.49 would be traded after the fee, and the minimum is 1.00: stake at least 1.03.',
  );
  expect((await tenant.quote('ana', { stake: 1.02 })).body.error).toBe('below_venue_minimum');
  expect((await tenant.quote('ana', { stake: 1.03 })).status).toBe(200);
});

test('over_tenant_exposure names the cap', async () => {
  for (const [column, value, words] of [
    ['player_exposure', 999n, 'one customer may have'],
    ['total_exposure', 999n, 'all customers together'],
    ['player_orders', 1, 'as many live orders in 24 hours as one customer'],
    ['total_orders', 1, 'The account has as many live orders'],
  ] as const) {
    const tenant = await live.tenant();
    if (column.endsWith('orders')) {
      await tenant.place('ana', { reserveReference: 'r' });
      await tenant.set(column, value);
    } else {
      await tenant.set(`${column}_minor`, value);
    }
    const refused = await tenant.place('ana', { reserveReference: 'r' });
    expect([refused.status, refused.body.error, refused.body.cap]).toEqual([422, 'over_tenant_exposure', column]);
    expect(refused.body.message).toContain(words);
  }
});

// contract 10.16
test('order_not_cancellable says why', async () => {
  const tenant = await live.tenant();
  const { body } = await tenant.place('ana', { reserveReference: 'r' });
  await until(
    () => tenant.read(body.orderId),
    ({ status }) => status === 'rejected',
  );
  const rejected = await tenant.cancel(body.orderId);
  expect([rejected.status, rejected.body.error, rejected.body.transmissionState]).toEqual([
    409,
    'order_not_cancellable',
    'resolved',
  ]);
  expect(rejected.body.message).toBe('The order is rejected already and nothing of it is held.');
  const sandbox = await live.tenant({ mode: 'sandbox' });
  const filled = await sandbox.place('ana');
  expect((await sandbox.cancel(filled.body.orderId)).body.message).toBe('The order is final: it is filled.');
});

test('a quote on a resolved market says that it is resolved', async () => {
  const tenant = await live.tenant();
  const market = await seedMarket(sql(), 'resolved');
  await sql()`select * from decide_market(${market.contractId}, 'resolve', 'YES', null)`;
  await live.context.board.refresh();
  const refused = await tenant.quote('ana', { marketId: market.contractId });
  expect([refused.status, refused.body.error]).toEqual([422, 'market_not_open']);
  expect(refused.body.message).toBe('The market is resolved; open positions settle by its result.');
  const paused = await seedMarket(sql(), 'halted');
  await sql()`select * from decide_market(${paused.contractId}, 'pause', null, null)`;
  await live.context.board.refresh();
  expect((await tenant.quote('ana', { marketId: paused.contractId })).body.message).toBe(
    'The market is withdrawn or halted.',
  );
});

test('maxStake below the venue minimum is absent', async () => {
  const tenant = await live.tenant();
  const market = await seedMarket(sql(), 'shallow');
  const marketId = market.contractId;
  await setBook(sql(), market, { bids: [['0.40', '1']], asks: [['0.50', '1']] });
  await live.context.board.refresh();
  const shallow = await tenant.quote('ana', { marketId });
  expect([shallow.status, shallow.body.error]).toEqual([422, 'stake_exceeds_available_depth']);
  expect(Object.keys(shallow.body)).not.toContain('maxStake');
  await setBook(sql(), market, { bids: [['0.40', '1']], asks: [['0.50', '4']] });
  await live.context.board.refresh();
  const deeper = await tenant.quote('ana', { marketId });
  expect(deeper.body.error).toBe('stake_exceeds_available_depth');
  expect((await tenant.quote('ana', { marketId, stake: deeper.body.maxStake })).status).toBe(200);

  const limit = (maxWagerMinor: number) =>
    live.request('PUT', '/api/v1/users/ben/limits', { key: tenant.key, body: { maxWagerMinor } });
  await limit(50);
  const tiny = await tenant.quote('ben');
  expect(tiny.body.error).toBe('over_wager_limit');
  expect(Object.keys(tiny.body)).not.toContain('maxStake');
  await limit(500);
  expect((await tenant.quote('ben')).body).toMatchObject({ error: 'over_wager_limit', maxStake: 5 });
});

test('a paused market withdraws confirmed live orders that wait, reason market_unavailable', async () => {
  const tenant = await live.tenant({ executionConfirmed: false });
  const market = await seedMarket(sql(), 'pausing');
  await live.context.board.refresh();
  const { body } = await tenant.place('ana', { reserveReference: 'r' }, { marketId: market.contractId });
  expect(body.status).toBe('pending_venue_execution');
  await sql()`select * from decide_market(${market.contractId}, 'pause', null, null)`;
  const withdrawn = await until(
    () => tenant.read(body.orderId),
    ({ status }) => status === 'cancelled',
    15_000,
  );
  expect(withdrawn).toMatchObject({
    transmissionState: 'not_transmitted',
    rejectReason: null,
    cancelReason: 'market_unavailable',
    intent: { reason: 'market_unavailable', releaseAmount: '10.00' },
  });
});

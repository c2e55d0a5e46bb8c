/** Live orders end to end: reserve, one transmission, fills, fees, refusals, silence, caps, gates, collateral, cancel. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { traderOf } from '../../src/trading/quotes/issue-quote.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { readCollateral } from '../support/collateral.ts';
import { readEvents } from '../support/events.ts';
import { readEntries, readItems } from '../support/items.ts';
import type { TestMarket } from '../support/market.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let market: TestMarket;
let venue: ScriptedVenue;
let operator: Operator;
let key: string;
let count = 0;

beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('alpha', undefined, { feeBps: 100 });
  venue = new ScriptedVenue();
  await service.startJob(venue);
});
afterAll(() => service.close());
beforeEach(async () => {
  count += 1;
  venue.script = (order) => venue.fillWhole(order);
  operator = await service.createOperator({
    slug: `live-${count}`,
    mode: 'live',
    platformFeeBps: 200,
    executionConfirmed: true,
  });
  key = (await service.issueKey(operator, { rateLimit: 6000 })).apiKey;
  await moveCollateral(service.sql, operator.operatorId, 'deposit', 100_000n);
});

async function quote(user = 'ana', body: object = {}) {
  const answer = await service.request('POST', '/api/v1/quotes', {
    key,
    user,
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10, ...body },
  });
  expect(answer.status).toBe(200);
  return answer.body;
}
const order = (body: object, user = 'ana') => service.request('POST', '/api/v1/orders', { key, user, body });
const read = async (id: string) => (await service.request('GET', `/api/v1/orders/${id}?fills=true`, { key })).body;

async function isSquare() {
  const [row] = await service.sql`
    select coalesce(sum(amount), 0)::text as total from ledger_lines where operator_id = ${operator.operatorId}`;
  expect(row?.['total']).toBe('0');
  const [held] = await service.sql`
    select coalesce((select -balance from account_balances where operator_id = ${operator.operatorId} and account_id = 'collateral:committed'), 0)::text as committed,
      (select coalesce(sum(authorization_minor - debit_minor), 0) from orders where operator_id = ${operator.operatorId} and action = 'buy'
         and reserve_confirmed_at is not null and status in ('pending_venue_execution', 'submitted', 'partially_filled') and transmission_state <> 'resolved')::text as open`;
  expect(held?.['committed']).toBe(held?.['open']);
  const exposures = await service.sql`
    select e.external_user_id, e.exposure_minor::text as kept,
      (select coalesce(sum(r.authorization_minor), 0) from orders r where r.operator_id = e.operator_id and r.transmission_state = 'unknown' and r.action = 'buy'
          and (e.external_user_id in ('', r.external_user_id)))::bigint
      + (select coalesce(sum(p.cost_basis_minor), 0) from positions p where p.operator_id = e.operator_id and p.status = 'open' and not p.simulated
          and (e.external_user_id in ('', p.external_user_id)))::bigint as counted
    from exposures e where e.operator_id = ${operator.operatorId}`;
  for (const row of exposures) {
    expect(String(row['counted'])).toBe(row['kept']);
  }
  expect([...venue.received.values()].every((sends) => sends.length === 1)).toBe(true);
}

describe('an order with reserveReference', () => {
  // contract 11.7, contract 12.7, contract 13.6, contract 18.2, contract 20.1
  test('is committed, sent once and filled, the venue fee inside the amount', async () => {
    venue.script = (toPlace) => venue.fillWhole(toPlace, 100);
    const quoted = await quote();
    const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r-1' });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({
      status: 'filled',
      simulated: false,
      transmissionState: 'resolved',
      settlementState: 'settled',
    });
    const money = placed.body.operatorMoney;
    expect(money).toMatchObject({ authorizationAmount: '10.00', venueFeeKnown: true });
    const cents = (text: string) => Math.round(Number(text) * 100);
    expect(cents(money.actualDebit) + cents(money.releaseAmount)).toBe(1000);
    expect(cents(money.tradeAmount) + cents(money.platformFee) + cents(money.venueFee)).toBe(cents(money.actualDebit));
    expect(cents(money.venueFee)).toBeGreaterThan(0);
    const collateral = await readCollateral(service.sql, operator.operatorId);
    expect(collateral).toEqual({ availableMinor: 100_000n - BigInt(cents(money.actualDebit)), committedMinor: 0n });
    await isSquare();
  });

  // contract 10.18, contract 20.3
  test('without collateral stays reserve_pending and reports why', async () => {
    const quoted = await quote('ana', { stake: 2000 });
    const refused = await order({ quoteId: quoted.quoteId, clientOrderId: 'big', reserveReference: 'r' });
    expect(refused.status).toBe(422);
    expect(refused.body.error).toBe('insufficient_collateral');
    expect(await read(refused.body.orderId)).toMatchObject({
      status: 'reserve_pending',
      transmissionState: 'not_transmitted',
    });
    await isSquare();
  });

  // contract 12.10
  test('is refused by the venue: rejected, everything released', async () => {
    venue.script = () => ({ outcome: 'rejected', reason: 'market halted', order: null });
    const quoted = await quote();
    const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({
      status: 'rejected',
      operatorMoney: { actualDebit: '0.00', releaseAmount: '10.00' },
    });
    expect((await readCollateral(service.sql, operator.operatorId)).availableMinor).toBe(100_000n);
    await isSquare();
  });

  // contract 12.9, contract 20.1
  test('fills in part and is closed: the remainder is released', async () => {
    venue.script = (toPlace) =>
      venue.accept(toPlace, [toPlace.quantityMicros / 2n - ((toPlace.quantityMicros / 2n) % 10_000n)], 'closed');
    const quoted = await quote();
    const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
    expect(placed.body).toMatchObject({
      status: 'partially_filled',
      settlementState: 'settled',
      transmissionState: 'resolved',
    });
    expect(Number(placed.body.operatorMoney.releaseAmount)).toBeGreaterThan(4.9);
    const events = await readEvents(service.sql, operator.operatorId);
    expect(events.map(({ type }) => type)).toEqual(['order.intent_recorded', 'order.filled', 'order.completed']);
    await isSquare();
  });

  // contract 11.11, contract 12.8, contract 26.18
  test('works and fills later: pending and unknown until the venue closes it', async () => {
    venue.script = (toPlace) => venue.accept(toPlace, [1_000_000n], 'working');
    const quoted = await quote();
    const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
    expect(placed.body).toMatchObject({
      status: 'partially_filled',
      settlementState: 'pending',
      transmissionState: 'unknown',
      operatorMoney: { actualDebit: '0.00', releaseAmount: '10.00' },
    });
    const [ourId] = [...venue.received.keys()].slice(-1);
    const sent = venue.received.get(ourId ?? '')?.[0] as OrderToPlace;
    venue.change(ourId ?? '', {
      state: 'closed',
      fills: [venue.fill(sent, 0, 1_000_000n, 0), venue.fill(sent, 1, sent.quantityMicros - 1_000_000n, 0)],
    });
    const done = await until(
      () => read(placed.body.orderId),
      (one) => one.transmissionState === 'resolved',
    );
    expect(done).toMatchObject({ status: 'filled', settlementState: 'settled' });
    expect(done.fills).toHaveLength(2);
    await isSquare();
  });

  // contract 12.19, contract 13.10
  test('a fee still being read keeps it open, then settles it', async () => {
    venue.script = (toPlace) => venue.fillWhole(toPlace, null);
    const quoted = await quote();
    const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({
      status: 'partially_filled',
      settlementState: 'pending',
      transmissionState: 'unknown',
    });
    const [ourId] = [...venue.received.keys()].slice(-1);
    const sent = venue.received.get(ourId ?? '')?.[0] as OrderToPlace;
    venue.change(ourId ?? '', { fills: [venue.fill(sent, 0, sent.quantityMicros, 50)] });
    const done = await until(
      () => read(placed.body.orderId),
      (one) => one.transmissionState === 'resolved',
    );
    expect(done).toMatchObject({ status: 'filled', operatorMoney: { venueFeeKnown: true } });
    expect(done.operatorMoney.venueFee).not.toBe('0.00');
    await isSquare();
  });

  // contract 10.17, contract 12.11, contract 18.4
  test('silence answers 409 and holds; the venue is asked, never sent to again', async () => {
    venue.script = (toPlace) => {
      venue.fillWhole(toPlace);
      const kept = venue.orders.get(toPlace.ourId);
      venue.orders.delete(toPlace.ourId);
      setTimeout(() => kept !== undefined && venue.orders.set(toPlace.ourId, kept), 6_000);
      return venue.silence();
    };
    const quoted = await quote();
    const refused = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toBe('reconciliation_required');
    expect(await read(refused.body.orderId)).toMatchObject({
      status: 'submitted',
      transmissionState: 'unknown',
      settlementState: 'pending',
    });
    const cancel = await service.request('POST', `/api/v1/orders/${refused.body.orderId}/cancel`, { key });
    expect(cancel.body).toMatchObject({ error: 'order_not_cancellable', transmissionState: 'unknown' });
    const replay = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
    expect(replay.status).toBe(200);
    const done = await until(
      () => read(refused.body.orderId),
      (one) => one.transmissionState === 'resolved',
    );
    expect(done.status).toBe('filled');
    await isSquare();
  });

  test('an order gives its place back before it waits for its venue', async () => {
    venue.script = () => venue.silence();
    const { quoteId } = await quote();
    const request = {
      quoteId,
      clientOrderId: 'a',
      intent: 'record_intent',
      reserveReference: 'r',
      slippageMicros: 0n,
    } as const;
    const { promise: recorded, resolve } = Promise.withResolvers<void>();
    const placed = service.context.trading.placeOrder(traderOf(operator, 'ana'), request, resolve);
    const answered = () => 'answered';
    expect(await Promise.race([recorded.then(() => 'recorded'), placed.then(answered, answered)])).toBe('recorded');
    await expect(placed).rejects.toMatchObject({ code: 'reconciliation_required' });
  });

  test('impossible fills are evidence and move no money', async () => {
    venue.script = (toPlace) => venue.accept(toPlace, [toPlace.quantityMicros * 3n], 'closed');
    const quoted = await quote();
    const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
    expect(placed.body).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
    const evidence = await service.sql`select kind from venue_evidence where operator_id = ${operator.operatorId}`;
    expect(evidence.map((row) => row['kind'])).toEqual(['impossible_quantity']);
    await isSquare();
  });
});

// contract 13.9
test('what a venue takes beyond the amount sent is ours, posted and warned of', async () => {
  venue.script = (toPlace) => venue.fillWhole(toPlace, 400);
  const quoted = await quote();
  const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
  expect(Number(placed.body.operatorMoney.actualDebit)).toBeLessThanOrEqual(10);
  const entries = await readEntries(service.sql, operator.operatorId);
  expect(entries.filter(({ movementType }) => movementType === 'VENUE_OVERRUN')).toHaveLength(1);
  const evidence =
    await service.sql`select kind, severity from venue_evidence where operator_id = ${operator.operatorId}`;
  expect(evidence).toEqual([{ kind: 'overrun', severity: 'warning' }]);
  await isSquare();
});

describe('the two steps', () => {
  // contract 10.13, contract 12.2
  test('record, confirm twice, and it goes', async () => {
    const quoted = await quote();
    const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a' });
    expect(placed.body).toMatchObject({
      status: 'reserve_pending',
      transmissionState: 'not_transmitted',
      operatorMoney: { releaseAmount: '10.00' },
    });
    const confirm = () =>
      service.request('POST', `/api/v1/orders/${placed.body.orderId}/confirm-reserve`, {
        key,
        body: { reserveReference: 'x' },
      });
    const confirmed = await confirm();
    expect(confirmed.body.intent).toMatchObject({ reserveReference: 'x' });
    // the order is read again, and the worker may be quick
    expect(['pending_venue_execution', 'submitted', 'filled']).toContain(confirmed.body.status);
    expect((await confirm()).status).toBe(200);
    await until(
      () => read(placed.body.orderId),
      (one) => one.status === 'filled',
    );
    expect((await confirm()).status).toBe(200);
    await isSquare();
  });

  // contract 10.14, contract 10.15, contract 12.5
  test('cancel releases exactly, replays, and shuts the way to confirm', async () => {
    const quoted = await quote();
    const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a' });
    const cancel = () => service.request('POST', `/api/v1/orders/${placed.body.orderId}/cancel`, { key });
    const first = await cancel();
    expect(first.body).toMatchObject({ actualDebit: '0.00', releaseAmount: '10.00', authorizationAmount: '10.00' });
    expect(first.body.idempotentReplay).toBeUndefined();
    expect((await cancel()).body).toEqual({ ...first.body, idempotentReplay: true });
    const confirm = await service.request('POST', `/api/v1/orders/${placed.body.orderId}/confirm-reserve`, { key });
    expect(confirm.body.error).toBe('order_cancelled');
    await isSquare();
  });

  // contract 18.1, contract 18.3
  test('a shut gate answers at once and stays; opening it sends', async () => {
    await service.sql`update operators set execution_confirmed = false where operator_id = ${operator.operatorId}`;
    const quoted = await quote();
    const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
    expect(placed.body.status).toBe('pending_venue_execution');
    await service.sql`update operators set execution_confirmed = true where operator_id = ${operator.operatorId}`;
    await until(
      () => read(placed.body.orderId),
      (one) => one.status === 'filled',
    );
    await isSquare();
  });

  // contract 12.6
  test('a trading pause withdraws what waits, with its release', async () => {
    await service.sql`update operators set execution_confirmed = false where operator_id = ${operator.operatorId}`;
    const quoted = await quote();
    const placed = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
    await service.sql`update operators set trading_paused = true where operator_id = ${operator.operatorId}`;
    const done = await until(
      () => read(placed.body.orderId),
      (one) => one.status === 'cancelled',
    );
    expect(done).toMatchObject({ transmissionState: 'not_transmitted', intent: { releaseAmount: '10.00' } });
    expect((await readCollateral(service.sql, operator.operatorId)).availableMinor).toBe(100_000n);
    await isSquare();
  });

  // contract 20.5, contract 20.6
  test('caps withdraw at the job and refuse at the order', async () => {
    await service.sql`update operators set player_orders = 1 where operator_id = ${operator.operatorId}`;
    const one = await quote();
    expect((await order({ quoteId: one.quoteId, clientOrderId: 'a', reserveReference: 'r' })).body.status).toBe(
      'filled',
    );
    const two = await quote();
    const refused = await order({ quoteId: two.quoteId, clientOrderId: 'b', reserveReference: 'r' });
    expect(refused.status).toBe(422);
    expect(refused.body.error).toBe('over_tenant_exposure');
    await isSquare();
  });
});

describe('a live exit', () => {
  // contract 14.7, contract 20.1
  test('sells at the holding venue, in part, and returns collateral', async () => {
    const quoted = await quote();
    const bought = await order({ quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: 'r' });
    const held = bought.body.filledQuantity;
    const sell = await quote('ana', { action: 'sell', stake: undefined, contracts: 5 });
    const sold = await order({ quoteId: sell.quoteId, clientOrderId: 's', reserveReference: 'r' });
    expect(sold.body).toMatchObject({ status: 'filled', action: 'sell', operatorExitMoney: { sellProceeds: '2.69' } });
    const positions = await service.request('GET', '/api/v1/positions?externalUserId=ana&status=open', { key });
    expect(positions.body.positions[0].quantity).toBeCloseTo(held - 5, 6);
    const items = await readItems(service.sql, operator.operatorId);
    expect(items.filter(({ type }) => type === 'position.exited')).toHaveLength(1);
    await isSquare();
  });
});

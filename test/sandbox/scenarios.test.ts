/** Scenarios through HTTP (contract 32.8 to 32.11): what fills, what is released, and which order meets which scenario. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scenario } from '../../src/wire/sandbox.ts';
import type { TestMarket } from '../support/market.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let market: TestMarket;
beforeAll(async () => {
  world = await openWorld();
  market = await world.openMarket('scenarios', { bids: [['0.55', '100000']], asks: [['0.57', '100000']] });
});
afterAll(() => world.close());

const arm = (body: object) =>
  world.request('POST', '/api/v1/sandbox/scenarios', { body: { kind: 'partial_fill', ...body } });
const armed = async () => (await world.request('GET', '/api/v1/sandbox/scenarios')).body.scenarios;

describe('arming', () => {
  // contract 32.8, contract 32.12
  test('answers what was armed, lists it, and disarms it', async () => {
    const first = await arm({ fillFraction: 0.4, clientOrderId: 'never' });
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-limit')).toBeNull();
    expect(scenario.parse(first.body)).toMatchObject({
      kind: 'partial_fill',
      fillFraction: 0.4,
      fillAmount: null,
      clientOrderId: 'never',
    });
    const hour = Date.parse(first.body.expiresAt) - Date.now();
    expect(hour).toBeGreaterThan(3_590_000);
    expect(hour).toBeLessThanOrEqual(3_600_000);
    const second = await arm({ fillAmountMinor: 450, clientOrderId: 'never' });
    expect(second.body).toMatchObject({ fillFraction: null, fillAmount: '4.50' });
    expect(await armed()).toEqual([first.body, second.body]);
    const left = await world.request('GET', `/api/v1/sandbox/scenarios?disarm=${first.body.scenarioId}`);
    expect(left.body.scenarios).toEqual([second.body]);
    const again = await world.request('GET', `/api/v1/sandbox/scenarios?disarm=${first.body.scenarioId}`);
    expect([again.status, again.body.error]).toEqual([404, 'scenario_not_found']);
    await world.request('GET', `/api/v1/sandbox/scenarios?disarm=${second.body.scenarioId}`);
  });

  test('one is disarmed by DELETE, once', async () => {
    const { body } = await arm({ fillFraction: 0.5, clientOrderId: 'never' });
    const path = `/api/v1/sandbox/scenarios/${body.scenarioId}`;
    expect((await world.request('DELETE', path)).body).toEqual({ scenarios: [] });
    expect((await world.request('DELETE', path)).body.error).toBe('scenario_not_found');
  });

  // contract 32.8
  test('refuses with scenario_invalid, and invalid_json for what is none', async () => {
    for (const body of [
      {},
      { fillFraction: 0 },
      { fillFraction: 1 },
      { fillFraction: 1e-300 },
      { fillFraction: '0.5' },
      { fillAmountMinor: 0 },
      { fillAmountMinor: 1.5 },
      { fillFraction: 0.5, fillAmountMinor: 100 },
      { fillFraction: 0.5, kind: 'full_fill' },
      { fillFraction: 0.5, clientOrderId: '' },
    ]) {
      const refused = await arm(body);
      expect([body, refused.status, refused.body.error]).toEqual([body, 400, 'scenario_invalid']);
    }
    const broken = await world.request('POST', '/api/v1/sandbox/scenarios', { body: '{"kind":' });
    expect([broken.status, broken.body.error]).toEqual([400, 'invalid_json']);
  });
});

describe('a buy that fills in part', () => {
  // contract 1.5, contract 13.4, contract 13.5, contract 32.10
  test('by a fraction: trade, fee and debit of the part, the rest released, identities exact', async () => {
    await arm({ fillFraction: 0.4, clientOrderId: 'a-1' });
    const placed = await world.place('ana', { clientOrderId: 'a-1' });
    expect(placed.status).toBe(201);
    // 17.192982 contracts quoted for 9.80 at 0.57; 40 % of them, floored
    expect(placed.body).toMatchObject({
      status: 'partially_filled',
      settlementState: 'settled',
      transmissionState: 'resolved',
      filledQuantity: 6.877192,
      averagePrice: 0.57,
      operatorMoney: {
        authorizationAmount: '10.00',
        actualDebit: '4.00',
        releaseAmount: '6.00',
        tradeAmount: '3.92',
        platformFee: '0.08',
        venueFee: '0.00',
        venueFeeKnown: true,
      },
    });
    expect((await world.balance('ana')).body).toMatchObject({ available: '9996.00', held: '0.00' });
    expect(await world.positionOf('ana', market)).toMatchObject({ quantity: 6.877192, status: 'open' });
    expect(await armed()).toEqual([]);
  });

  // contract 32.10
  test('by an amount of the authorization; at or above it the order fills whole', async () => {
    await arm({ fillAmountMinor: 500, clientOrderId: 'a-2' });
    const half = await world.place('ana', { clientOrderId: 'a-2' });
    expect(half.body).toMatchObject({ status: 'partially_filled', filledQuantity: 8.596491 });
    expect(half.body.operatorMoney).toMatchObject({ actualDebit: '5.00', releaseAmount: '5.00' });
    await arm({ fillAmountMinor: 1000, clientOrderId: 'a-3' });
    const whole = await world.place('ana', { clientOrderId: 'a-3' });
    expect(whole.body).toMatchObject({ status: 'filled', filledQuantity: 17.192982 });
    expect(whole.body.operatorMoney).toMatchObject({ actualDebit: '10.00', releaseAmount: '0.00' });
  });

  // contract 11.6, contract 32.11
  test('to nothing ends cancelled and resolved, with all released, and cannot be cancelled', async () => {
    const before = (await world.balance('ana')).body;
    await arm({ fillFraction: 1e-9, clientOrderId: 'a-4' });
    const placed = await world.place('ana', { clientOrderId: 'a-4' });
    expect(placed.body).toMatchObject({
      status: 'cancelled',
      transmissionState: 'resolved',
      settlementState: 'settled',
      filledQuantity: 0,
      operatorMoney: { actualDebit: '0.00', releaseAmount: '10.00', platformFee: '0.00' },
    });
    expect((await world.balance('ana')).body).toEqual(before);
    const feed = await world.request('GET', '/api/v1/reconciliation/feed?type=order.state_changed&last=1');
    expect(feed.body.items[0]).toMatchObject({
      orderId: placed.body.orderId,
      detail: { toState: 'cancelled', reason: 'closed_unfilled' },
    });
    const cancel = await world.request('POST', `/api/v1/orders/${placed.body.orderId}/cancel`);
    expect([cancel.status, cancel.body]).toEqual([
      409,
      expect.objectContaining({ error: 'order_not_cancellable', transmissionState: 'resolved' }),
    ]);
    const replay = await world.request('POST', '/api/v1/orders', {
      user: 'ana',
      body: { quoteId: 'qt_other', clientOrderId: 'a-4' },
    });
    expect(replay.body.error).toBe('idempotency_conflict');
  });
});

describe('a sell that fills in part', () => {
  // contract 11.4, contract 32.11
  test('fillAmountMinor is of the notional, and only what sold leaves the position', async () => {
    await world.place('sue', { clientOrderId: 's-1' }, { stake: 100 });
    await arm({ fillAmountMinor: 275, clientOrderId: 's-2' });
    const sold = await world.place(
      'sue',
      { clientOrderId: 's-2' },
      { action: 'sell', stake: undefined, contracts: 10 },
    );
    // 10 contracts at 0.55: notional 5.50, of which half
    expect(sold.body).toMatchObject({
      status: 'partially_filled',
      filledQuantity: 5,
      notional: 2.75,
      operatorMoney: null,
      operatorExitMoney: { sellProceeds: '2.69', platformFee: '0.06', venueFee: '0.00' },
    });
    expect((await world.positionOf('sue', market)).quantity).toBe(166.929824);
  });

  // contract 32.11
  test('no proceeds means that nothing fills', async () => {
    const before = await world.positionOf('sue', market);
    await arm({ fillAmountMinor: 1, clientOrderId: 's-3' });
    const sold = await world.place(
      'sue',
      { clientOrderId: 's-3' },
      { action: 'sell', stake: undefined, contracts: 10 },
    );
    expect(sold.body).toMatchObject({
      status: 'cancelled',
      filledQuantity: 0,
      operatorExitMoney: { sellProceeds: '0.00', platformFee: '0.00' },
    });
    expect((await world.positionOf('sue', market)).quantity).toBe(before.quantity);
  });
});

describe('which order meets it', () => {
  // contract 32.9
  test('the next accepted order of any customer; refusals and replays consume nothing', async () => {
    const earlier = await world.quote('tom');
    const send = (quoteId: string, clientOrderId: string) =>
      world.request('POST', '/api/v1/orders', { user: 'tom', body: { quoteId, clientOrderId } });
    expect((await send(earlier.body.quoteId, 't-1')).body.status).toBe('filled');
    const { body: forAnybody } = await arm({ fillFraction: 0.5 });
    expect((await send('qt_none', 't-2')).body.error).toBe('quote_not_found');
    expect((await send(earlier.body.quoteId, 't-2')).body.error).toBe('quote_already_used');
    expect((await send(earlier.body.quoteId, 't-1')).body).toMatchObject({ status: 'filled', idempotentReplay: true });
    const poor = await world.quote('tom', { stake: 9995 });
    expect((await send(poor.body.quoteId, 't-3')).body.error).toBe('insufficient_funds');
    const expired = await world.quote('tom');
    await world.damage(`update quotes set expires_at = now() where quote_id = '${expired.body.quoteId}'`);
    expect((await send(expired.body.quoteId, 't-4')).body.error).toBe('quote_expired');
    expect(await armed()).toEqual([forAnybody]);
    const next = await world.place('uma', { clientOrderId: 'u-1' });
    expect(next.body.status).toBe('partially_filled');
    expect((await world.place('uma', { clientOrderId: 'u-2' })).body.status).toBe('filled');
    const replay = await world.request('GET', `/api/v1/orders/${next.body.orderId}`);
    expect(replay.body.filledQuantity).toBe(8.596491);
  });

  // contract 32.9
  test('its own order before the one for any, which stays armed; another operator’s never', async () => {
    const { body: forAnybody } = await arm({ fillFraction: 0.25 });
    await arm({ fillFraction: 0.5, clientOrderId: 'v-1' });
    const other = await world.createOperator({ slug: 'neighbour', platformFeeBps: 200 });
    const { apiKey: key } = await world.issueKey(other);
    const quoted = await world.request('POST', '/api/v1/quotes', {
      key,
      user: 'vic',
      body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
    });
    const foreign = await world.request('POST', '/api/v1/orders', {
      key,
      user: 'vic',
      body: { quoteId: quoted.body.quoteId, clientOrderId: 'v-1' },
    });
    expect(foreign.body.status).toBe('filled');
    expect((await world.place('vic', { clientOrderId: 'v-1' })).body.filledQuantity).toBe(8.596491);
    expect(await armed()).toEqual([forAnybody]);
    expect((await world.place('vic', { clientOrderId: 'v-2' })).body.filledQuantity).toBe(4.298245);
  });

  // contract 32.9
  test('an expired one applies to no order, and is no longer listed', async () => {
    const { body } = await arm({ fillFraction: 0.5 });
    await world.sql`update scenarios set expires_at = now() where scenario_id = ${body.scenarioId}`;
    expect(await armed()).toEqual([]);
    expect((await world.place('wes', { clientOrderId: 'w-1' })).body.status).toBe('filled');
    expect((await world.request('GET', `/api/v1/sandbox/scenarios?disarm=${body.scenarioId}`)).status).toBe(404);
  });

  test('a recorded intent and a rejected order leave it armed', async () => {
    const { body } = await arm({ fillFraction: 0.5 });
    await world.place('xia', { clientOrderId: 'x-1', executionIntent: 'record_intent' });
    expect(await armed()).toEqual([body]);
    await world.request('GET', `/api/v1/sandbox/scenarios?disarm=${body.scenarioId}`);
  });

  // contract 32.9
  test('many orders at once and one scenario: exactly one meets it', async () => {
    const users = Array.from({ length: 12 }, (_, index) => `y${index}`);
    const quotes = await Promise.all(users.map((user) => world.quote(user)));
    await arm({ fillFraction: 0.5 });
    const placed = await Promise.all(
      users.map((user, index) =>
        world.request('POST', '/api/v1/orders', {
          user,
          body: { quoteId: quotes[index]?.body.quoteId, clientOrderId: 'y-1' },
        }),
      ),
    );
    const statuses = placed.map(({ body }) => body.status).sort();
    expect(statuses).toEqual([...Array(11).fill('filled'), 'partially_filled']);
    expect(await armed()).toEqual([]);
  });
});

/** The refusals of quotes and orders that no other test shows, each by its code and status (contract 36.2). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documented } from '../support/documented.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import type { Tenant, TestResponse } from '../support/tenant.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;

beforeAll(async () => {
  service = await documented(await openWorld());
  await service.openMarket('alpha');
});
afterAll(() => service.close());

const market: World['openMarket'] = (...listing) => service.openMarket(...listing);

/** An operator of its own, so that what is set on it touches no other test. */
const tenant = (settings: Parameters<World['tenant']>[0] = {}) => service.tenant({ mode: 'sandbox', ...settings });
const quote = (one: Tenant, body: object = {}) => one.quote('ana', body);
const sell = (one: Tenant, contracts: number, body: object = {}) =>
  one.quote('ana', { action: 'sell', contracts, stake: undefined, ...body });

function order(one: Tenant, quoted: TestResponse, body: object = {}): Promise<TestResponse> {
  expect(quoted.status, quoted.text).toBe(200);
  return one.order('ana', { quoteId: quoted.body.quoteId, clientOrderId: service.database.newName('key'), ...body });
}

const put = ({ key }: Tenant, path: string, body: object) => service.request('PUT', `/api/v1/${path}`, { key, body });
const suspend = ({ operator }: Tenant, status = 'suspended') =>
  service.sql`update customers set status = ${status} where operator_id = ${operator.operatorId}`;

const said = ({ status, body }: TestResponse) => [status, body?.error];
const decide = (of: TestMarket, action: string, resolution: string | null = null) =>
  service.sql`select * from decide_market(${of.contractId}, ${action}, ${resolution}, null)`;

async function age(of: TestMarket, seconds: number): Promise<void> {
  await service.sql`
    with r as (update board_revision set revision = revision + 1 returning revision)
    update listings set book_confirmed_at = now() - make_interval(secs => ${seconds}), revision = r.revision
    from r where contract_id = ${of.contractId}`;
  await service.context.board.refresh();
}

describe('POST /quotes refuses', () => {
  // contract 9.2
  test('an unknown contract with 404 market_not_found', async () => {
    const one = await tenant();
    expect(said(await quote(one, { marketId: 'ctr_none' }))).toEqual([404, 'market_not_found']);
  });

  // contract 9.1, contract 9.2, contract 14.1
  test('a body that names no side, both sizes, none, or the size of the other action', async () => {
    const one = await tenant();
    for (const body of [
      { side: 'MAYBE' },
      { side: 'yes' },
      { action: 'hold' },
      { stake: undefined },
      { contracts: 5 },
      { stake: undefined, contracts: 5 },
      { action: 'sell' },
      { stake: 0 },
      { stake: -1 },
      { stake: 0.004 },
      { stake: 10_000_000.01 },
      { marketId: 7 },
    ]) {
      const refused = await quote(one, body);
      expect([body, ...said(refused)]).toEqual([body, 400, 'invalid_request']);
      expect(refused.body.detail, JSON.stringify(body)).not.toHaveLength(0);
    }
    const tooSmall = await sell(one, 0.0000001);
    expect(said(tooSmall)).toEqual([400, 'invalid_request']);
    expect(tooSmall.body.detail).toEqual([{ path: 'contracts', message: expect.any(String) }]);
  });

  // contract 2.7
  test('a trade amount under the minimum, and takes one at it', async () => {
    const one = await tenant();
    expect(said(await quote(one, { stake: 1.02 }))).toEqual([422, 'below_venue_minimum']);
    expect((await quote(one, { stake: 1.03 })).body).toMatchObject({ tradeAmount: 1, platformFee: 0.03 });
  });

  // contract 3.12
  test('a side without a price with 409 line_not_available', async () => {
    const one = await tenant();
    const asks = await market('asksonly', { asks: [['0.5', '100']] });
    expect(said(await quote(one, { marketId: asks.contractId, side: 'NO' }))).toEqual([409, 'line_not_available']);
    expect((await quote(one, { marketId: asks.contractId })).status).toBe(200);
  });

  // contract 2.10
  test('more than the book holds, with the maxStake that passes', async () => {
    const one = await tenant();
    const thin = await market('thin', { bids: [['0.4', '10']], asks: [['0.5', '10']] });
    const refused = await quote(one, { marketId: thin.contractId });
    expect(said(refused)).toEqual([422, 'stake_exceeds_available_depth']);
    const { maxStake } = refused.body;
    expect((await quote(one, { marketId: thin.contractId, stake: maxStake })).status).toBe(200);
    const above = Math.round(maxStake * 100 + 1) / 100;
    expect(said(await quote(one, { marketId: thin.contractId, stake: above }))).toEqual([
      422,
      'stake_exceeds_available_depth',
    ]);
  });

  // contract 14.3, contract 14.5
  test('a sell deeper than the bids, without maxStake, and one that would pay nothing', async () => {
    const one = await tenant();
    const lopsided = await market('lopsided', { bids: [['0.4', '10']], asks: [['0.5', '1000']] });
    const marketId = lopsided.contractId;
    await order(one, await quote(one, { marketId, stake: 20 }));
    const deep = await sell(one, 11, { marketId });
    expect(said(deep)).toEqual([422, 'stake_exceeds_available_depth']);
    expect(deep.body).not.toHaveProperty('maxStake');
    expect(said(await sell(one, 0.02, { marketId }))).toEqual([422, 'sell_not_available']);
  });

  // contract 9.15, contract 29.5
  test('what is not offered, by policy and by jurisdiction', async () => {
    const narrow = await tenant({ offerCategories: ['sports'] });
    const policy = await quote(narrow);
    expect(said(policy)).toEqual([403, 'market_not_offered']);
    expect(policy.body).not.toHaveProperty('reason');
    const strict = await tenant({ jurisdictionMode: 'enforced', permittedCountries: ['HR'] });
    const unasserted = await quote(strict);
    expect(said(unasserted)).toEqual([403, 'market_not_offered']);
    expect(unasserted.body.reason).toBe('jurisdiction');
    await put(strict, 'users/ana/jurisdiction', { country: 'BR' });
    expect((await quote(strict)).body.reason).toBe('jurisdiction');
    await put(strict, 'users/ana/jurisdiction', { country: 'HR' });
    expect((await quote(strict)).status).toBe(200);
  });
});

describe('a price that ages', () => {
  // contract 3.10, contract 3.11, contract 9.10
  test('reads live, recent and aged; a large stake and then any stake is refused; the order too, and it is not recorded', async () => {
    const one = await tenant();
    const old = await market('old');
    const marketId = old.contractId;
    const level = async () => (await quote(one, { marketId })).body.freshness;
    await age(old, 0);
    expect(await level()).toMatchObject({ level: 'live', feed: 'websocket', ageSeconds: expect.any(Number) });
    const quoted = await quote(one, { marketId });
    await age(old, 20);
    expect((await level()).level).toBe('recent');
    await age(old, 60);
    expect((await level()).level).toBe('aged');
    expect((await quote(one, { marketId, stake: 100 })).status).toBe(200);
    expect(said(await quote(one, { marketId, stake: 100.01 }))).toEqual([422, 'stake_exceeds_stale_limit']);
    await age(old, 130);
    expect(said(await quote(one, { marketId }))).toEqual([409, 'price_stale']);
    expect(said(await order(one, quoted, { clientOrderId: 'stale' }))).toEqual([409, 'price_stale']);
    await age(old, 0);
    expect((await order(one, quoted, { clientOrderId: 'stale' })).status).toBe(201);
  });
});

describe('a market that stops', () => {
  // contract 9.14, contract 10.12
  test('paused: 409 market_paused at quote, 422 market_unavailable at order', async () => {
    const one = await tenant();
    const halted = await market('halted');
    const quoted = await quote(one, { marketId: halted.contractId });
    await decide(halted, 'pause');
    expect(said(await order(one, quoted))).toEqual([422, 'market_unavailable']);
    await service.context.board.refresh();
    expect(said(await quote(one, { marketId: halted.contractId }))).toEqual([409, 'market_paused']);
    await decide(halted, 'resume');
    await service.context.board.refresh();
    expect((await quote(one, { marketId: halted.contractId })).status).toBe(200);
  });

  // contract 9.14, contract 10.12
  test('resolved or closed is 422 market_not_open, at quote and at order', async () => {
    const one = await tenant();
    const over = await market('over');
    const quoted = await quote(one, { marketId: over.contractId });
    await decide(over, 'resolve', 'YES');
    expect(said(await order(one, quoted))).toEqual([422, 'market_not_open']);
    await service.context.board.refresh();
    expect(said(await quote(one, { marketId: over.contractId }))).toEqual([422, 'market_not_open']);
    const shut = await market('shut');
    await service.sql`with r as (update board_revision set revision = revision + 1 returning revision)
      update contracts set status = 'closed', trading_closed = true, revision = r.revision from r
      where contract_id = ${shut.contractId}`;
    // on the older board, and on the newer
    expect(said(await quote(one, { marketId: shut.contractId }))).toEqual([422, 'market_not_open']);
    await service.context.board.refresh();
    const refused = await quote(one, { marketId: shut.contractId });
    expect([...said(refused), refused.body.message]).toEqual([422, 'market_not_open', 'The market has closed.']);
  });
});

describe('limits, ceilings, pauses and suspensions, at quote and again at order', () => {
  // contract 9.15, contract 20.6, contract 28.10
  test('over_wager_limit and over_order_limit with maxStake', async () => {
    const one = await tenant();
    const quoted = await quote(one, { stake: 60 });
    await put(one, 'users/ana/limits', { maxWagerMinor: 5000 });
    for (const refused of [await quote(one, { stake: 60 }), await order(one, quoted)]) {
      expect(said(refused)).toEqual([422, 'over_wager_limit']);
      expect(refused.body.maxStake).toBe(50);
    }
    expect((await quote(one, { stake: 50 })).status).toBe(200);
    const other = await tenant();
    const large = await quote(other, { stake: 60 });
    await other.set('max_order_minor', 5000);
    for (const refused of [await quote(other, { stake: 60 }), await order(other, large)]) {
      expect(said(refused)).toEqual([422, 'over_order_limit']);
    }
  });

  // contract 28.10, contract 28.11
  test('over_period_limit counts what was debited, and not what was released', async () => {
    const one = await tenant();
    await put(one, 'users/ana/limits', { periodStakeMinor: 2500, periodHours: 24 });
    expect((await order(one, await quote(one, { stake: 20 }))).status).toBe(201);
    const refused = await quote(one, { stake: 10 });
    expect(said(refused)).toEqual([422, 'over_period_limit']);
    expect(refused.body.maxStake).toBe(5);
    const intent = await order(one, await quote(one, { stake: 5 }), { executionIntent: 'record_intent' });
    expect(said(await quote(one, { stake: 2 }))).toEqual([422, 'over_period_limit']);
    const cancelled = await one.cancel(intent.body.orderId);
    expect(cancelled.status).toBe(200);
    expect((await quote(one, { stake: 5 })).status).toBe(200);
  });

  // contract 10.19
  test('a trading pause refuses quotes, orders and exits; reads go on', async () => {
    const one = await tenant();
    await order(one, await quote(one));
    const [quoted, exit] = [await quote(one), await sell(one, 5)];
    await one.set('trading_paused', true);
    for (const refused of [await quote(one), await sell(one, 5), await order(one, quoted), await order(one, exit)]) {
      expect(said(refused)).toEqual([409, 'trading_paused']);
    }
  });

  // contract 10.4, contract 10.19
  test('a suspended customer is refused, but a replay is answered', async () => {
    const one = await tenant();
    const spent = await quote(one);
    const placed = await order(one, spent, { clientOrderId: 'kept' });
    const quoted = await quote(one);
    await suspend(one);
    expect(said(await quote(one))).toEqual([403, 'user_suspended']);
    expect(said(await order(one, quoted))).toEqual([403, 'user_suspended']);
    const replay = await order(one, spent, { clientOrderId: 'kept' });
    expect([replay.status, replay.body]).toEqual([200, { ...placed.body, idempotentReplay: true }]);
  });

  // contract 9.15, contract 29.5, contract 29.6
  test('jurisdiction enforced after the quote refuses the order, exits too unless they are allowed', async () => {
    const one = await tenant();
    await order(one, await quote(one));
    const [quoted, exit] = [await quote(one), await sell(one, 5)];
    await one.set('jurisdiction_mode', 'enforced');
    await one.set('permitted_countries', ['HR']);
    for (const refused of [await order(one, quoted), await order(one, exit), await sell(one, 5)]) {
      expect(said(refused)).toEqual([403, 'market_not_offered']);
      expect(refused.body.reason).toBe('jurisdiction');
    }
    await one.set('jurisdiction_allow_exits', true);
    expect((await order(one, exit)).status).toBe(201);
    expect(said(await quote(one))).toEqual([403, 'market_not_offered']);
  });
});

describe('POST /orders', () => {
  // contract 10.8, contract 10.11, contract 32.2
  test('simulate above the ceiling comes before insufficient_funds; a live tenant has no ceiling but zero', async () => {
    const one = await tenant();
    expect(said(await order(one, await quote(one, { stake: 10_000.01 })))).toEqual([422, 'simulation_not_permitted']);
    expect((await order(one, await quote(one, { stake: 9_000 }))).status).toBe(201);
    expect(said(await order(one, await quote(one, { stake: 2_000 })))).toEqual([422, 'insufficient_funds']);
    const live = await tenant({ mode: 'live' });
    const quoted = await quote(live);
    expect(quoted.body.simulated).toBe(false);
    expect(said(await order(live, quoted, { executionIntent: 'simulate' }))).toEqual([422, 'simulation_not_permitted']);
    const recorded = await order(live, quoted);
    expect([recorded.status, recorded.body.status]).toEqual([201, 'reserve_pending']);
  });

  // contract 10.11
  test('the first check that fails answers: customer, quote, market, jurisdiction, limits, ceiling, funds', async () => {
    const one = await tenant();
    const held = await market('checked');
    await order(one, await quote(one, { stake: 9_000, marketId: held.contractId }));
    const quoted = await quote(one, { stake: 10_001, marketId: held.contractId });
    const unknown = { quoteId: 'quo_nobody' };
    await suspend(one);
    await decide(held, 'pause');
    await one.set('jurisdiction_mode', 'enforced');
    await one.set('permitted_countries', ['HR']);
    await put(one, 'users/ana/limits', { maxWagerMinor: 5_000 });
    expect(said(await order(one, quoted, { ...unknown, side: 7, maxSlippage: 'wide' }))).toEqual([
      400,
      'invalid_request',
    ]);
    expect(said(await order(one, quoted, unknown))).toEqual([403, 'user_suspended']);
    await suspend(one, 'active');
    expect(said(await order(one, quoted, unknown))).toEqual([404, 'quote_not_found']);
    expect(said(await order(one, quoted))).toEqual([422, 'market_unavailable']);
    await decide(held, 'resume');
    expect(said(await order(one, quoted))).toEqual([403, 'market_not_offered']);
    await one.set('jurisdiction_mode', 'off');
    expect(said(await order(one, quoted))).toEqual([422, 'over_wager_limit']);
    await put(one, 'users/ana/limits', {});
    expect(said(await order(one, quoted))).toEqual([422, 'simulation_not_permitted']);
    const beyond = await quote(one, { stake: 1_100, marketId: held.contractId });
    expect(said(await order(one, beyond))).toEqual([422, 'insufficient_funds']);
  });

  // contract 10.1
  test('bodies out of their bounds are 400 invalid_request', async () => {
    const one = await tenant();
    const quoted = await quote(one);
    for (const body of [
      { quoteId: '' },
      { quoteId: 'q'.repeat(101) },
      { clientOrderId: '' },
      { clientOrderId: 'c'.repeat(201) },
      { reserveReference: 'r'.repeat(201) },
      { executionIntent: 'guess' },
      { maxSlippage: 1 },
      { maxSlippage: -0.01 },
    ]) {
      const refused = await order(one, quoted, body);
      expect([body, ...said(refused)]).toEqual([body, 400, 'invalid_request']);
    }
    expect((await order(one, quoted, { clientOrderId: 'c'.repeat(200), maxSlippage: 0.999 })).status).toBe(201);
  });

  // contract 10.9
  test('maxSlippage is an absolute allowance, clamped to 0.05', async () => {
    const one = await tenant();
    const moving = await market('moving', { bids: [['0.40', '1000']], asks: [['0.50', '1000']] });
    const [near, far] = [
      await quote(one, { marketId: moving.contractId }),
      await quote(one, { marketId: moving.contractId }),
    ];
    await setBook(service.sql, moving, { bids: [['0.40', '1000']], asks: [['0.55', '1000']] });
    await service.context.board.refresh();
    expect((await order(one, near, { maxSlippage: 0.9 })).body).toMatchObject({ status: 'filled', averagePrice: 0.55 });
    await setBook(service.sql, moving, { bids: [['0.40', '1000']], asks: [['0.550001', '1000']] });
    await service.context.board.refresh();
    expect(said(await order(one, far, { maxSlippage: 0.9 }))).toEqual([409, 'price_moved']);
  });

  // contract 14.4
  test('insufficient_position is checked again at the order, and the clientOrderId stays free', async () => {
    const one = await tenant();
    await order(one, await quote(one));
    const [first, second] = [await sell(one, 15), await sell(one, 15)];
    expect((await order(one, first)).status).toBe(201);
    expect(said(await order(one, second, { clientOrderId: 'free' }))).toEqual([422, 'insufficient_position']);
    expect((await order(one, await sell(one, 1), { clientOrderId: 'free' })).status).toBe(201);
  });

  // contract 9.12, contract 10.4
  test('a replay comes before expiry and limits; a rejected order’s quote is used', async () => {
    const one = await tenant();
    const quoted = await quote(one);
    const placed = await order(one, quoted, { clientOrderId: 'late' });
    await service.damage(
      `update quotes set expires_at = now() - interval '1 hour' where quote_id = '${quoted.body.quoteId}'`,
    );
    await put(one, 'users/ana/limits', { maxWagerMinor: 1 });
    const again = await order(one, quoted, { clientOrderId: 'late', maxSlippage: 0.01, reserveReference: 'other' });
    expect([again.status, again.body]).toEqual([200, { ...placed.body, idempotentReplay: true }]);
    const other = await tenant();
    const gone = await market('gone');
    const moved = await quote(other, { marketId: gone.contractId });
    await setBook(service.sql, gone, { bids: [['0.70', '1000']], asks: [['0.80', '1000']] });
    await service.context.board.refresh();
    const rejected = await order(other, moved);
    expect(said(rejected)).toEqual([409, 'price_moved']);
    const used = await order(other, moved);
    expect(said(used)).toEqual([409, 'quote_already_used']);
    expect(used.body.orderId).toBe(rejected.body.orderId);
  });
});

// contract 3.3, contract 3.4, contract 9.6
test('a five-minute contract shows no price in the catalogue, is quoted for 5 s, and fills at the quote', async () => {
  const one = await tenant();
  const five = await market('five', undefined, { fiveMinute: true, category: 'crypto' });
  const shown = await service.request('GET', `/api/v1/events/${five.eventId}`);
  expect(shown.body.data.outcomes[0]).toMatchObject({
    executableYesCents: null,
    executableNoCents: null,
    spreadCents: null,
    tradable: false,
    tradingClosed: false,
  });
  /** Seconds of the hold, as the time around the request allows them. */
  const hold = async (body: object) => {
    const before = Date.now();
    const quoted = await quote(one, body);
    const expires = Date.parse(quoted.body.expiresAt);
    return { quoted, least: (expires - Date.now()) / 1000, most: (expires - before) / 1000 };
  };
  const short = await hold({ marketId: five.contractId });
  const placed = await order(one, short.quoted);
  expect(placed.body).toMatchObject({ status: 'filled', averagePrice: short.quoted.body.executionPrice });
  for (const [seconds, { least, most }] of [
    [5, short],
    [30, await hold({})],
  ] as const) {
    expect(least).toBeLessThanOrEqual(seconds + 0.01);
    expect(most).toBeGreaterThanOrEqual(seconds - 0.01);
  }
});

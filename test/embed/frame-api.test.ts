import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setDisplayRate } from '../../src/embed/display-rates.ts';
import { insertBook } from '../../src/embed/operator-books.ts';
import { DEFAULT_SCOPES } from '../../src/operators/keys.ts';
import type { AnyJson } from '../support/any-json.ts';
import { seedMarket, type TestMarket } from '../support/market.ts';
import type { TestResponse } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { withoutTriggers } from '../support/without-triggers.ts';
import { startApi, type TestApi, type TestOperator } from './service.ts';

let api: TestApi;
let operator: TestOperator;
let politics: TestMarket;
let sports: TestMarket;

beforeAll(async () => {
  api = await startApi();
  politics = await seedMarket(api.sql, 'alpha');
  sports = await seedMarket(api.sql, 'beta', undefined, { category: 'sports' });
  await api.context.board.refresh();
  operator = await api.newOperator({ operator_book_enabled: true, platform_fee_bps: 200 }, [
    ...DEFAULT_SCOPES,
    'operator_book:write',
  ]);
});
afterAll(() => api.close());

type Frame = (method: string, path: string, body?: unknown) => Promise<TestResponse>;

async function frameOf(user: string, extra: Record<string, unknown> = {}, by: TestOperator = operator): Promise<Frame> {
  const minted = await by.call('POST', '/api/v1/embed-sessions', { body: { externalUserId: user, ...extra } });
  expect(minted.status).toBe(200);
  const headers = { authorization: `Embed ${minted.body.token}` };
  return (method, path, body) => api.call(method, `/api/embed/${path}`, { headers, body });
}

const quoteOf = (market: TestMarket, extra: object = {}) => ({
  marketId: market.contractId,
  side: 'YES',
  action: 'buy',
  stake: 10,
  ...extra,
});

test('each path of the frame answers its preflight with the methods that the document has for it', async () => {
  const { paths } = (await api.call('GET', '/openapi-frame.json')).body as { paths: Record<string, object> };
  const own = Object.entries(paths);
  expect(own.every(([path]) => path.startsWith('/api/embed/'))).toBe(true);
  expect(own.length).toBeGreaterThan(12);
  for (const [path, operations] of own) {
    const preflight = await api.call('OPTIONS', path, { headers: { origin: 'https://casino.example' } });
    const methods = Object.keys(operations).map((method) => method.toUpperCase());
    expect([path, preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      path,
      204,
      methods.toSorted().join(', '),
    ]);
  }
});

describe('account and past positions', () => {
  test('fee rate, simulated balance, and no settlements yet', async () => {
    const frame = await frameOf('account');
    await frame('POST', 'quotes', quoteOf(politics));
    const { status, body } = await frame('GET', 'account');
    expect(status).toBe(200);
    expect(body).toMatchObject({ currency: 'USD', platformFeeBps: 200 });
    expect(body.available === null || /^\d+\.\d{2}$/.test(body.available)).toBe(true);
    expect(await frame('GET', 'settlements')).toMatchObject({ status: 200, body: { settlements: [], count: 0 } });
  });

  test('the most that can be staked is the lowest of all limits and of the balance', async () => {
    const capped = await api.newOperator({});
    const set = (change: Record<string, unknown>) =>
      api.sql`update operators set ${api.sql(change)} where operator_id = ${capped.operatorId}`;
    const frame = await frameOf('staker', {}, capped);
    const largest = async () => (await frame('GET', 'account')).body.largestStake;
    expect(await largest()).toEqual({ amount: '10000.00', limit: 'simulation_not_permitted' });

    const { body: quote } = await frame('POST', 'quotes', quoteOf(politics, { stake: 30 }));
    await frame('POST', 'orders', { quoteId: quote.quoteId, clientOrderId: 'staked' });
    expect(await largest()).toEqual({ amount: '9970.00', limit: 'insufficient_funds' });
    await set({ max_order_minor: 5000 });
    expect(await largest()).toEqual({ amount: '50.00', limit: 'over_order_limit' });
    await set({ max_wager_minor: 4000 });
    expect(await largest()).toEqual({ amount: '40.00', limit: 'over_wager_limit' });
    await set({ period_stake_minor: 6500, period_hours: 24 });
    expect(await largest()).toEqual({ amount: '35.00', limit: 'over_period_limit' });
    await api.sql`update customers set period_stake_minor = 2000, period_hours = 24
      where operator_id = ${capped.operatorId} and external_user_id = 'staker'`;
    expect(await largest()).toEqual({ amount: '0.00', limit: 'over_period_limit' });
    expect((await frame('POST', 'quotes', quoteOf(politics))).body.error).toBe('over_period_limit');
  });

  test('where the place is not permitted nothing may be bought, and exits follow the operator', async () => {
    const strict = await api.newOperator({ jurisdiction_mode: 'enforced', permitted_countries: ['US'] });
    const may = async (country: string) => {
      const frame = await frameOf(`of-${country}`, { jurisdiction: { country } }, strict);
      const { mayBuy, maySell } = (await frame('GET', 'account')).body;
      return [mayBuy, maySell];
    };
    expect(await may('US')).toEqual([true, true]);
    expect(await may('HR')).toEqual([false, false]);
    await api.sql`update operators set jurisdiction_allow_exits = true where operator_id = ${strict.operatorId}`;
    expect(await may('HR')).toEqual([false, true]);
  });
});

describe('catalogue', () => {
  // contract 1.2, contract 31.5
  test('the same as the partner reads', async () => {
    const frame = await frameOf('reader');
    for (const path of ['events', `events/${politics.eventId}`, 'events/alpha?locale=es', 'categories']) {
      const mine = await frame('GET', path);
      expect(mine.status).toBe(200);
      expect(mine.body).toEqual((await operator.call('GET', `/api/v1/${path}`)).body);
    }
    expect((await frame('GET', 'events?limit=0')).body.error).toBe('invalid_limit');
    expect((await frame('GET', 'events/evt_none')).body.error).toBe('unknown_event');
  });

  test('the course of what an event is about is answered to sessions that are offered the event, from a moment on', async () => {
    await api.sql`insert into event_course (event_id, at, coin_price) values
      (${politics.eventId}, '2026-11-27T12:00:02Z', 104250.1), (${politics.eventId}, '2026-11-27T12:00:04Z', 104251)`;
    const frame = await frameOf('course');
    const first = Date.UTC(2026, 10, 27, 12, 0, 2) / 1000;
    const prices = [
      [first, 104_250.1],
      [first + 2, 104_251],
    ];
    expect(await frame('GET', 'events/alpha/course')).toMatchObject({
      status: 200,
      body: { coin: prices, scores: [] },
    });
    expect((await frame('GET', `events/alpha/course?since=${first}`)).body.coin).toEqual(prices.slice(1));
    expect((await frame('GET', 'events/alpha/course?since=soon')).body.error).toBe('invalid_date');
    expect((await frame('GET', 'events/none/course')).body.error).toBe('unknown_event');
  });

  // contract 31.5
  test('recorded prices carry their time in ISO-8601 too, and end with the current price', async () => {
    const hourAgo = new Date(Math.floor((Date.now() - 3_600_000) / 60_000) * 60_000);
    await api.sql`insert into price_history (contract_id, step_minutes, at, price_micros)
      select ${politics.contractId}, step, ${hourAgo}, 400000 from unnest(array[1, 5, 60]) step`;
    const frame = await frameOf('chart');
    const { status, body } = await frame('GET', 'events/alpha/history');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      eventId: politics.eventId,
      range: '1d',
      series: [{ contractId: politics.contractId }],
    });
    expect(body.data.series[0].points).toEqual([
      [hourAgo.getTime() / 1000, 0.4, hourAgo.toISOString()],
      [expect.any(Number), 0.56, expect.stringMatching(/Z$/)],
    ]);
    expect((await frame('GET', 'events/alpha/history?range=all&contracts=ctr_none')).body.data.series).toEqual([]);
    expect((await frame('GET', 'events/alpha/history?range=2d')).body.error).toBe('invalid_request');
    expect((await frame('GET', 'events/none/history')).body.error).toBe('unknown_event');
  });

  test('depth and recent trades of a contract, as the market reports them, and of no other contract', async () => {
    const frame = await frameOf('depth');
    const path = `contracts/${politics.contractId}`;
    const book = await frame('GET', `${path}/book`);
    expect(book.body).toEqual((await operator.call('GET', `/api/v1/${path}/book`)).body);
    expect(book.body.bids.length).toBeGreaterThan(0);
    expect((await frame('GET', `${path}/trades`)).body).toEqual({ contractId: politics.contractId, trades: [] });

    const reported = async (contracts: number, price: number | null) => {
      await api.sql`with r as (update board_revision set revision = revision + 1 returning revision)
        update contracts c set volume_micros = ${contracts * 1_000_000}, updated_at = now(), revision = r.revision,
          last_price_micros = ${price === null ? null : price * 1_000_000}
        from r where contract_id = ${politics.contractId}`;
      await api.context.board.refresh();
    };
    await reported(40, 0.57);
    await reported(40, 0.58);
    await reported(30, 0.58);
    await reported(55, null);
    await reported(67.5, 0.55);
    const { status, body } = await frame('GET', `${path}/trades`);
    expect(status).toBe(200);
    expect(body.trades).toEqual([
      { at: expect.stringMatching(/Z$/), price: 0.55, contracts: 12.5 },
      { at: expect.stringMatching(/Z$/), price: 0.57, contracts: 40 },
    ]);
    expect((await operator.call('GET', `/api/v1/${path}/trades`)).body).toEqual(body);

    const bound = await insertBook(api.sql, operator.operatorId, 'Without politics', [sports.eventId]);
    const other = await frameOf('elsewhere', { operatorBookId: bound.operatorBookId });
    for (const what of ['book', 'trades']) {
      expect((await other('GET', `${path}/${what}`)).body.error).toBe('market_not_found');
      expect((await frame('GET', `contracts/ctr_none/${what}`)).body.error).toBe('market_not_found');
    }
  });

  // contract 30.9
  test('a bound book shows its events and nothing else, down to quote and order', async () => {
    const book = await insertBook(api.sql, operator.operatorId, 'Sports only', [sports.eventId]);
    const frame = await frameOf('booked', { operatorBookId: book.operatorBookId });
    const list = await frame('GET', 'events');
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([sports.eventId]);
    expect((await frame('GET', 'categories')).body.data).toMatchObject([{ category: 'sports', eventCount: 1 }]);
    expect((await frame('GET', `events/${politics.eventId}`)).body.error).toBe('unknown_event');
    expect(await frame('POST', 'quotes', quoteOf(politics))).toMatchObject({
      status: 403,
      body: { error: 'market_not_offered' },
    });
    expect((await frame('POST', 'quotes', quoteOf(sports))).status).toBe(200);
    const outside = await operator.call('POST', '/api/v1/quotes', {
      body: quoteOf(politics),
      headers: { 'x-service-user': 'booked' },
    });
    const spent = await frame('POST', 'orders', { quoteId: outside.body.quoteId, clientOrderId: 'outside' });
    expect(spent).toMatchObject({ status: 403, body: { error: 'market_not_offered' } });
    expect((await frame('GET', 'orders')).body.orders).toEqual([]);
    expect((await frame('GET', 'session')).body.operatorBookId).toBe(book.operatorBookId);
  });

  // contract 30.14
  test('offering policy and enforced jurisdiction reach the frame', async () => {
    const narrow = await api.newOperator({
      offer_categories: ['sports'],
      jurisdiction_mode: 'enforced',
      permitted_countries: ['HR'],
    });
    const permitted = await frameOf('at-home', { jurisdiction: { country: 'HR' } }, narrow);
    const list = await permitted('GET', 'events');
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([sports.eventId]);
    expect(list.body.jurisdiction).toMatchObject({ enforced: true });
    expect((await permitted('POST', 'quotes', quoteOf(sports))).status).toBe(200);
    const abroad = await frameOf('abroad', { jurisdiction: { country: 'BR' } }, narrow);
    expect((await abroad('GET', 'events')).body).toMatchObject({ data: [], jurisdiction: { enforced: true } });
    expect(await abroad('POST', 'quotes', quoteOf(sports))).toMatchObject({
      status: 403,
      body: { error: 'market_not_offered', reason: 'jurisdiction' },
    });
  });
});

describe('trading', () => {
  // contract 1.2, contract 31.5
  test('quote, order, replay, position, exit: for the session’s customer', async () => {
    const frame = await frameOf('trader');
    const quote = await frame('POST', 'quotes', quoteOf(politics));
    expect(quote.body).toMatchObject({ stake: 10, operatorMoney: { authorizationAmount: '10.00' } });
    expect(quote.headers.get('ratelimit-limit')).toBeNull();
    const body = { quoteId: quote.body.quoteId, clientOrderId: 'frame-1' };
    const placed = await frame('POST', 'orders', body);
    expect(placed).toMatchObject({ status: 201, body: { status: 'filled', idempotentReplay: false } });
    expect(await frame('POST', 'orders', body)).toMatchObject({ status: 200, body: { idempotentReplay: true } });
    const { orderId } = placed.body;
    await until(() => {
      const lines = api.logged.map((text) => JSON.parse(text) as Record<string, unknown>);
      expect(lines.filter(({ msg, order }) => msg === 'request' && order === orderId)).toMatchObject([
        { method: 'POST', route: '/api/embed/orders', status: 201 },
        { method: 'POST', route: '/api/embed/orders', status: 200 },
      ]);
    });
    expect((await frame('GET', `orders/${orderId}?fills=true`)).body).toMatchObject({ orderId, fills: [{}] });
    expect((await frame('GET', 'orders')).body).toMatchObject({ count: 1, orders: [{ orderId }] });
    expect((await frame('GET', 'orders?clientOrderId=frame-1')).body.orders).toMatchObject([{ orderId, intent: {} }]);
    const { positions } = (await frame('GET', 'positions')).body;
    expect(positions).toMatchObject([{ externalUserId: 'trader', status: 'open' }]);
    const exit = await frame('POST', 'quotes', {
      marketId: politics.contractId,
      side: 'YES',
      action: 'sell',
      contracts: positions[0].quantity,
    });
    expect(exit.body.operatorExitMoney.sellProceeds).toMatch(/^\d+\.\d\d$/);
    const sold = await frame('POST', 'orders', { quoteId: exit.body.quoteId, clientOrderId: 'frame-2' });
    expect(sold).toMatchObject({ status: 201, body: { action: 'sell', status: 'filled' } });
    expect((await frame('GET', 'positions?status=closed')).body.count).toBe(1);
  });

  // contract 1.13, contract 31.5
  test('another customer’s quote, order and positions are out of reach, whatever is asked', async () => {
    const [mine, other] = [await frameOf('owner'), await frameOf('snoop')];
    const quote = await mine('POST', 'quotes', quoteOf(politics));
    const stolen = await other('POST', 'orders', { quoteId: quote.body.quoteId, clientOrderId: 'x' });
    expect(stolen).toMatchObject({ status: 404, body: { error: 'quote_not_found' } });
    const placed = await mine('POST', 'orders', { quoteId: quote.body.quoteId, clientOrderId: 'x' });
    const peek = await other('GET', `orders/${placed.body.orderId}`);
    expect(peek).toMatchObject({ status: 404, body: { error: 'unknown_order' } });
    for (const path of ['orders?externalUserId=owner', 'orders?externalUserId=owner&clientOrderId=x']) {
      expect((await other('GET', path)).body.orders).toEqual([]);
    }
    expect((await other('GET', 'positions?externalUserId=owner')).body.positions).toEqual([]);
    const headers = { 'x-service-user': 'owner' };
    const minted = await operator.call('POST', '/api/v1/embed-sessions', { body: { externalUserId: 'snoop' } });
    const asOwner = await api.call('GET', '/api/embed/orders', {
      headers: { ...headers, authorization: `Embed ${minted.body.token}` },
    });
    expect(asOwner.body.orders).toEqual([]);
  });

  // contract 31.5
  test('a browser confirms no reserve and chooses no intent', async () => {
    const live = await api.newOperator({ mode: 'live' });
    const frame = await frameOf('live-player', {}, live);
    const quote = await frame('POST', 'quotes', quoteOf(politics));
    const body = { quoteId: quote.body.quoteId, clientOrderId: 'live-1' };
    for (const extra of [{ reserveReference: 'mine' }, { executionIntent: 'simulate' }]) {
      expect(await frame('POST', 'orders', { ...body, ...extra })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    }
    expect(await frame('POST', 'orders', body)).toMatchObject({
      status: 201,
      body: { status: 'reserve_pending', operatorMoney: { actualDebit: '0.00', releaseAmount: '10.00' } },
    });
  });

  test('a suspended customer is refused at once, on reads too, and sees what they hold', async () => {
    const frame = await frameOf('suspended');
    const { body: quote } = await frame('POST', 'quotes', quoteOf(politics));
    await frame('POST', 'orders', { quoteId: quote.quoteId, clientOrderId: 'before' });
    const { body: before } = await frame('GET', 'positions');
    expect(before.count).toBe(1);
    await api.sql`update customers set status = 'suspended' where external_user_id = 'suspended'`;
    for (const [method, path, body] of [
      ['POST', 'quotes', quoteOf(politics)],
      ['GET', 'positions', undefined],
      ['GET', 'events', undefined],
      ['GET', 'session', undefined],
      ['GET', 'account', undefined],
      ['GET', 'settlements', undefined],
    ] as const) {
      expect(await frame(method, path, body)).toMatchObject({ status: 403, body: { error: 'user_suspended' } });
    }
    const { status, body } = await frame('GET', 'holdings?locale=es');
    expect(status).toBe(200);
    expect(body.positions).toEqual(before.positions);
    expect(body).toMatchObject({ platformFeeBps: 200, settlements: [] });
    expect(body.events.map((event: AnyJson) => [event.id, event.outcomes.map((one: AnyJson) => one.id)])).toEqual([
      [politics.eventId, [politics.contractId]],
    ]);
  });

  test('holdings are those of the session’s customer alone', async () => {
    const frame = await frameOf('holds-nothing');
    expect(await frame('GET', 'holdings')).toMatchObject({
      status: 200,
      body: { positions: [], settlements: [], events: [] },
    });
  });
});

describe('limits at work', () => {
  const put = (user: string, body: unknown) => operator.call('PUT', `/api/v1/users/${user}/limits`, { body });

  // contract 28.10
  test('one wager: refused at quote with the stake that would pass', async () => {
    await put('small', { maxWagerMinor: 500 });
    const frame = await frameOf('small');
    expect(await frame('POST', 'quotes', quoteOf(politics))).toMatchObject({
      status: 422,
      body: { error: 'over_wager_limit', maxStake: 5 },
    });
    expect((await frame('POST', 'quotes', quoteOf(politics, { stake: 5 }))).status).toBe(200);
  });

  test('a limit that was set after the quote is enforced at the order', async () => {
    const frame = await frameOf('late');
    const quote = await frame('POST', 'quotes', quoteOf(politics));
    await put('late', { maxWagerMinor: 500 });
    const refused = await frame('POST', 'orders', { quoteId: quote.body.quoteId, clientOrderId: 'l-1' });
    expect(refused).toMatchObject({ status: 422, body: { error: 'over_wager_limit', maxStake: 5 } });
    await operator.call('DELETE', '/api/v1/users/late/limits');
    expect((await frame('POST', 'orders', { quoteId: quote.body.quoteId, clientOrderId: 'l-1' })).status).toBe(201);
  });

  // contract 28.11
  test('the window rolls: what is older than its hours no longer counts', async () => {
    await put('rolling', { periodStakeMinor: 2500, periodHours: 2 });
    const frame = await frameOf('rolling');
    const buy = async (stake: number, clientOrderId: string) => {
      const quote = await frame('POST', 'quotes', quoteOf(politics, { stake }));
      if (quote.status !== 200) {
        return quote;
      }
      return await frame('POST', 'orders', { quoteId: quote.body.quoteId, clientOrderId });
    };
    expect((await buy(20, 'r-1')).status).toBe(201);
    expect(await buy(10, 'r-2')).toMatchObject({ status: 422, body: { error: 'over_period_limit', maxStake: 5 } });
    expect((await buy(5, 'r-3')).status).toBe(201);
    const full = await buy(2, 'r-4');
    expect(full).toMatchObject({ status: 422, body: { error: 'over_period_limit' } });
    expect(full.body).not.toHaveProperty('maxStake');
    await withoutTriggers(
      api.database.ownerUrl,
      `update orders set created_at = now() - interval '2 hours 1 second' where client_order_id = 'r-1'`,
    );
    expect((await buy(20, 'r-5')).status).toBe(201);
    expect((await buy(2, 'r-6')).body.error).toBe('over_period_limit');
  });

  // contract 28.11
  test('exits are never counted and never refused by a limit', async () => {
    const frame = await frameOf('leaving');
    const quote = await frame('POST', 'quotes', quoteOf(politics));
    await frame('POST', 'orders', { quoteId: quote.body.quoteId, clientOrderId: 'e-1' });
    await put('leaving', { maxWagerMinor: 1, periodStakeMinor: 1, periodHours: 8760 });
    const [held] = (await frame('GET', 'positions')).body.positions;
    const exit = await frame('POST', 'quotes', {
      marketId: politics.contractId,
      side: 'YES',
      action: 'sell',
      contracts: held.quantity,
    });
    expect(exit.status).toBe(200);
    const sold = await frame('POST', 'orders', { quoteId: exit.body.quoteId, clientOrderId: 'e-2' });
    expect(sold.status).toBe(201);
  });

  // contract 28.11
  test('orders that race over two processes cannot spend a window twice', { timeout: 60_000 }, async () => {
    const second = await startApi({ database: api.database });
    try {
      await put('racing', { periodStakeMinor: 3500, periodHours: 24 });
      const minted = await operator.call('POST', '/api/v1/embed-sessions', { body: { externalUserId: 'racing' } });
      const headers = { authorization: `Embed ${minted.body.token}` };
      const either = (index: number) => (index % 2 === 0 ? api : second);
      const quotes = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          either(index).call('POST', '/api/embed/quotes', { headers, body: quoteOf(politics) }),
        ),
      );
      const orders = await Promise.all(
        quotes.map(({ body }, index) =>
          either(index).call('POST', '/api/embed/orders', {
            headers,
            body: { quoteId: body.quoteId, clientOrderId: `race-${index}` },
          }),
        ),
      );
      expect(orders.filter(({ status }) => status === 201).length).toBe(3);
      expect(orders.filter(({ body }) => body.error === 'over_period_limit').length).toBe(9);
      const [spent] =
        await api.sql`select sum(debit_minor)::bigint as total from orders where external_user_id = 'racing'`;
      expect(spent?.['total']).toBe(3000n);
    } finally {
      await second.close();
    }
  });

  // contract 28.8
  test('the operator level binds each customer separately', async () => {
    const strict = await api.newOperator({ max_wager_minor: 800, period_stake_minor: 1000, period_hours: 24 });
    for (const user of ['one', 'two']) {
      const frame = await frameOf(user, {}, strict);
      expect((await frame('POST', 'quotes', quoteOf(politics, { stake: 9 }))).body.error).toBe('over_wager_limit');
      const quote = await frame('POST', 'quotes', quoteOf(politics, { stake: 8 }));
      const placed = await frame('POST', 'orders', { quoteId: quote.body.quoteId, clientOrderId: user });
      expect(placed.status).toBe(201);
      expect((await frame('POST', 'quotes', quoteOf(politics, { stake: 3 }))).body).toMatchObject({
        error: 'over_period_limit',
        maxStake: 2,
      });
    }
  });
});

// contract 2.3, contract 31.11
test('display rates come in the order of the contract, with their date, and change nothing booked', async () => {
  await setDisplayRate(api.sql, 'btc', '0.0000105');
  await setDisplayRate(api.sql, 'EUR', '0.9');
  await setDisplayRate(api.sql, 'EUR', '0.92');
  const frame = await frameOf('rates');
  expect((await frame('GET', 'session')).body.displayRates).toEqual([
    { currency: 'USD', rate: 1, setAt: null },
    { currency: 'EUR', rate: 0.92, setAt: expect.stringMatching(/Z$/) },
    { currency: 'BTC', rate: 0.0000105, setAt: expect.stringMatching(/Z$/) },
  ]);
  for (const [currency, rate] of [
    ['USD', '1'],
    ['XXX', '1'],
    ['EUR', '0'],
    ['EUR', '-1'],
    ['EUR', '1e3'],
    ['EUR', 'one'],
  ] as const) {
    await expect(setDisplayRate(api.sql, currency, rate)).rejects.toMatchObject({ code: 'invalid_request' });
  }
});

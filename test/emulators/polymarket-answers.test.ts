/** Answers of the emulated Polymarket that decide nothing, do not fit, or refuse, and what the adapter of Polymarket makes of each. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderTrade } from '../../src/emulators/polymarket/render.ts';
import type { Trade } from '../../src/emulators/polymarket/state.ts';
import { openPolymarket } from '../../src/venues/polymarket/polymarket.ts';
import { type OrderToPlace, VenueUnknown } from '../../src/venues/port.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { type Exchange, openExchange, orderOf, prepare, send } from './polymarket-venue.ts';
import { openRecordingProxy } from './recording-proxy.ts';

let exchange: Exchange;
beforeEach(async () => {
  exchange = await openExchange();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await exchange.close();
});

const order = (changes: Partial<OrderToPlace> = {}) => orderOf(exchange, changes);
const failure = async (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );

describe('answers without a decision', () => {
  test.each([
    [
      '429 says that the order was not taken',
      { kind: 'status', status: 429, body: { error: 'too many requests' }, retryAfter: '3' },
      true,
      3_000,
    ],
    ['a restart of the engine says so too', { kind: 'status', status: 425, body: { error: 'restart' } }, true, 5_000],
    ['403 of another form says nothing', { kind: 'status', status: 403, body: {} }, false, null],
    ['425 of another form says nothing', { kind: 'status', status: 425, body: {} }, false, 5_000],
    [
      'post-only mode says so, and for how long',
      {
        kind: 'status',
        status: 503,
        body: { error: 'post-only mode: no', code: 'post_only_mode', retry_after_seconds: 79 },
      },
      true,
      79_000,
    ],
    [
      'post-only mode holds no longer than two minutes, whatever it says',
      {
        kind: 'status',
        status: 503,
        body: { error: 'post-only mode: no', code: 'post_only_mode', retry_after_seconds: 86_400 },
      },
      true,
      120_000,
    ],
    ['503 alone says nothing', { kind: 'status', status: 503, body: { error: 'upstream' } }, false, null],
    [
      'a server error says nothing',
      { kind: 'status', status: 500, body: { error: 'could not run the execution' } },
      false,
      null,
    ],
    ['a page of HTML says nothing', { kind: 'html' }, false, null],
    ['a refusal without a reason says nothing', { kind: 'status', status: 400, body: { message: 'no' } }, false, null],
    ['an answer of another shape says nothing', { kind: 'status', status: 200, body: { orderID: 7 } }, false, null],
    [
      'an answer about another order says nothing',
      { kind: 'status', status: 200, body: { success: true, orderID: '0xabc', status: 'matched' } },
      false,
      null,
    ],
  ])('%s', async (_, fault, notTaken, retryAfterMs) => {
    const one = await prepare(exchange.venue, order());
    exchange.tell({ do: 'fault', on: 'POST /order', fault });
    expect(await failure(exchange.venue.placeOrder(one, () => true))).toMatchObject({
      name: 'VenueUnknown',
      notTaken,
      retryAfterMs,
    });
  });

  test.each(['cancel_only', 'post_only', 'disabled'])(
    'an exchange in mode %s takes nothing and says so',
    async (mode) => {
      exchange.tell({ do: 'trading', mode });
      expect(await failure(send(exchange.venue, order()))).toMatchObject({ notTaken: true });
    },
  );
});

describe('reports that do not fit are evidence', () => {
  const trade = (changes: object) => ({
    data: [
      {
        id: 'trade-1',
        taker_order_id: '0x1',
        asset_id: '1',
        side: 'BUY',
        size: '5',
        price: '0.5',
        status: 'CONFIRMED',
        match_time: '1780000000',
        trader_side: 'TAKER',
        ...changes,
      },
    ],
    next_cursor: 'LTE=',
  });

  test.each([
    ['a negative size', 'GET /data/trades', trade({ size: '-5' })],
    ['a price above a dollar', 'GET /data/trades', trade({ price: '1.5' })],
    ['a time that is none', 'GET /data/trades', trade({ match_time: 'noon' })],
    ['an order without its sizes', 'GET /data/order', { id: '0x1', status: 'ORDER_STATUS_LIVE' }],
    ['a list that is none', 'GET /data/trades', { data: 'none' }],
  ])('%s', async (_, on, body) => {
    const one = await prepare(exchange.venue, order());
    await exchange.venue.placeOrder(one, () => true);
    exchange.tell({ do: 'fault', on, fault: { kind: 'status', status: 200, body } });
    const error = await failure(exchange.venue.findOrder(one.ourId, one));
    expect(error).toBeInstanceOf(VenueUnknown);
    expect((error as VenueUnknown).evidence).not.toBeNull();
  });

  test("a trade of somebody else's order is none of ours", async () => {
    const one = await prepare(exchange.venue, order());
    exchange.tell({ do: 'fault', on: 'GET /data/trades', fault: { kind: 'status', status: 200, body: trade({}) } });
    expect(await exchange.venue.findOrder(one.ourId, one)).toEqual({ outcome: 'not_found' });
  });

  test('an order of another token contradicts what was sent', async () => {
    const one = await prepare(exchange.venue, order());
    await exchange.venue.placeOrder(one, () => true);
    const body = {
      id: one.venueRef,
      status: 'MATCHED',
      asset_id: '77',
      side: 'BUY',
      original_size: '5',
      size_matched: '0',
    };
    exchange.tell({ do: 'fault', on: 'GET /data/order', fault: { kind: 'status', status: 200, body } });
    expect(await exchange.venue.findOrder(one.ourId, one)).toMatchObject({ order: { listingId: '77' } });
  });

  test('an order that was matched for more than its trades show still works', async () => {
    const one = await prepare(exchange.venue, order());
    await exchange.venue.placeOrder(one, () => true);
    exchange.tell({ do: 'fault', on: 'GET /data/trades', fault: { kind: 'status', status: 200, body: { data: [] } } });
    expect(await exchange.venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'working', fills: [] } });
  });
});

test('what does not fit the market is not sent', async () => {
  const { venue, tell } = exchange;
  expect(await venue.prepareOrder?.(order({ limitPriceMicros: 455_000n }))).toEqual({ unfit: 'off_grid' });
  expect(await venue.prepareOrder?.(order({ quantityMicros: 4_990_000n }))).toEqual({ unfit: 'below_minimum' });
  tell({ do: 'terms', name: 't', tick: '0.1' });
  const later = exchange.open();
  expect(await later.prepareOrder?.(order())).toEqual({ unfit: 'off_grid' });
  await later.close();
});

test('refusals of the exchange are decisions', async () => {
  const { venue, tell } = exchange;
  const dear = order({ quantityMicros: 5_000_000_000n, spendMicros: 2_300_000_000n });
  const [cash, affordable] = [exchange.account.cash, 5_000_000_000n];
  exchange.account.cash = affordable;
  const unpaid = await prepare(venue, dear);
  // the money goes after the order was prepared
  exchange.account.cash = cash;
  expect(await venue.placeOrder(unpaid, () => true)).toMatchObject({
    outcome: 'rejected',
    reason: 'insufficient_balance',
  });
  const low = order({ limitPriceMicros: 300_000n, quantityMicros: 30_000_000n, spendMicros: 9_000_000n });
  expect(await send(venue, low)).toMatchObject({ outcome: 'rejected', reason: 'nothing_to_match' });
  const off = await prepare(venue, order());
  tell({ do: 'terms', name: 't', tick: '0.1' });
  expect(await venue.placeOrder(off, () => true)).toMatchObject({ reason: 'price_off_grid' });
  tell({ do: 'terms', name: 't', acceptingOrders: false });
  expect(await venue.placeOrder(off, () => true)).toMatchObject({ reason: 'market_not_open' });
});

// contract 18.7
describe('what is no documented refusal in the form of the exchange decides nothing', () => {
  test.each([
    ['a delay without success', 200, { success: false, status: 'delayed', errorMsg: 'not enough balance / allowance' }],
    [
      'an error of an order that was matched',
      200,
      { success: true, status: 'matched', errorMsg: 'invalid expiration' },
    ],
    [
      'an execution that failed and is called a success',
      200,
      { success: true, errorMsg: 'could not run the execution' },
    ],
    ['no success without a known reason', 200, { success: false, errorMsg: 'Insufficient something' }],
    ['a delay as a bad request', 400, { error: 'order match delayed due to market conditions' }],
    ['a delay that failed', 400, { error: 'error delaying the order' }],
    ['an execution that failed', 400, { error: 'could not run the execution' }],
    ['an order that could not be inserted', 400, { error: 'could not insert order' }],
    ['a code of the documents', 400, { error: 'EXECUTION_ERROR' }],
    ['a bad request in another form', 400, { message: 'request signature expired at the edge' }],
    ['a path that a gateway does not know', 404, { error: 'not found' }],
    ['403 of somebody else', 403, { message: 'Forbidden' }],
    ['429 of somebody else', 429, { code: 1015 }],
  ])('%s', async (_, status, body) => {
    const one = await prepare(exchange.venue, order());
    exchange.tell({ do: 'fault', on: 'POST /order', fault: { kind: 'answer', status, body } });
    expect(await failure(exchange.venue.placeOrder(one, () => true))).toMatchObject({
      name: 'VenueUnknown',
      notTaken: false,
    });
    expect(await exchange.venue.findOrder(one.ourId, one)).toMatchObject({ order: { fills: [{}, {}] } });
  });

  test.each([
    ['not enough balance / allowance: the balance is not enough', 'insufficient_balance'],
    ['order 0xabc is invalid. Price (0.123) breaks minimum tick size rule: 0.01', 'price_off_grid'],
    ['order 0xabc is invalid. Size (1) lower than the minimum: 5', 'below_minimum'],
    ["order couldn't be fully filled. FOK orders are fully filled or killed.", 'nothing_to_match'],
    ['the market is not yet ready to process new orders', 'market_not_open'],
    ["'0x1234' address in closed only mode", 'account_restricted'],
    ["'0x1234' address banned", 'account_restricted'],
    ['maker address not allowed, please use the deposit wallet flow', 'invalid_signature'],
    ['invalid signature', 'invalid_signature'],
    ['invalid POLY_1271 signature: signature does not match order hash', 'invalid_signature'],
    ['order_version_mismatch', 'invalid_order'],
    ['invalid amount for a marketable BUY order ($0.99975), min size: $1', 'below_minimum'],
    [
      'invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals',
      'invalid_order',
    ],
    ['the orderbook 4394372887385518 does not exist', 'market_not_open'],
    ['the order owner has to be the owner of the API KEY', 'invalid_signature'],
    ['the order signer address has to be the address of the API KEY', 'invalid_signature'],
    ['invalid expiration', 'expired'],
    ['order 0xabc crosses the book', 'crosses_book'],
    ['Invalid order payload', 'invalid_order'],
  ])('but "%s" does', async (error, reason) => {
    const one = await prepare(exchange.venue, order());
    exchange.tell({ do: 'fault', on: 'POST /order', fault: { kind: 'status', status: 400, body: { error } } });
    expect(await exchange.venue.placeOrder(one, () => true)).toMatchObject({ outcome: 'rejected', reason });
    const body = { success: false, errorMsg: error };
    exchange.tell({ do: 'fault', on: 'POST /order', fault: { kind: 'status', status: 200, body } });
    expect(await exchange.venue.placeOrder(one, () => true)).toMatchObject({ outcome: 'rejected', reason });
    const told = exchange.venue.unknowns?.().map(({ about }) => about);
    expect(told).toEqual(
      reason === 'invalid_signature' ? ['INLAY_POLYMARKET_SIGNATURE_TYPE and INLAY_POLYMARKET_FUNDER'] : [],
    );
  });

  test.each([
    ['a known error', { orderID: '', status: '', errorMsg: 'invalid expiration' }, 'expired', []],
    ['a new error', { orderID: '', status: '', errorMsg: 'Moon' }, 'refused', ['Moon']],
    ['the state unmatched', { status: 'unmatched', errorMsg: '' }, 'nothing_to_match', []],
    ['post-only mode', { orderID: '', status: '', errorMsg: 'post-only mode: only cancels' }, 'venue_unavailable', []],
  ])('a success with %s is a refusal', async (_, changes, reason, told) => {
    const one = await prepare(exchange.venue, order());
    const body = { success: true, orderID: one.venueRef, ...changes };
    exchange.tell({ do: 'fault', on: 'POST /order', fault: { kind: 'status', status: 200, body } });
    expect(await exchange.venue.placeOrder(one, () => true)).toMatchObject({ outcome: 'rejected', reason });
    expect(exchange.venue.unknowns?.().map(({ word }) => word)).toEqual(told.map((word) => `200 ${word}`));
  });

  test.each(['order 0xabc is invalid. Duplicated.', 'INVALID_ORDER_DUPLICATED'])(
    'a duplicate is looked up: %s',
    async (error) => {
      const one = await prepare(exchange.venue, order());
      exchange.tell({ do: 'fault', on: 'POST /order', fault: { kind: 'answer', status: 400, body: { error } } });
      expect(await exchange.venue.placeOrder(one, () => true)).toMatchObject({
        outcome: 'accepted',
        order: { fills: [{}, {}] },
      });
      const absent = await prepare(exchange.venue, order());
      exchange.tell({ do: 'fault', on: 'POST /order', fault: { kind: 'status', status: 400, body: { error } } });
      expect(await failure(exchange.venue.placeOrder(absent, () => true))).toMatchObject({ notTaken: false });
    },
  );
});

test("an order whose id was made by a clock that is ahead is found from the attempt's time on", async () => {
  const ahead = (Date.now() + 600_000).toString(16).padStart(12, '0');
  const one = await prepare(exchange.venue, order({ ourId: `att_${ahead}0123456789abcdef0123` }));
  await exchange.venue.placeOrder(one, () => true);
  const attempt = { ...one, sentAt: new Date() };
  expect(await exchange.venue.findOrder(one.ourId, attempt)).toMatchObject({
    order: { state: 'closed', fills: [{}, {}] },
  });
  expect(await exchange.venue.fills(one.ourId, attempt)).toHaveLength(2);
});

// contract 18.12
test('nothing of a trade is booked before its makers add up to it, and then it is booked once', async () => {
  const { venue, account } = exchange;
  const one = await prepare(venue, order());
  await venue.placeOrder(one, () => true);
  const [trade] = account.trades;
  const whole = renderTrade({ ...(trade as Trade), status: 'CONFIRMED' }, account) as { maker_orders: object[] };
  const some = [undefined, [], whole.maker_orders.slice(0, 1)];
  for (const maker_orders of some) {
    const body = { data: [{ ...whole, maker_orders }], next_cursor: 'LTE=' };
    exchange.tell({ do: 'fault', on: 'GET /data/trades', fault: { kind: 'status', status: 200, body } });
    expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'working', fills: [] } });
  }
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'closed', fills: [{}, {}] } });
});

test('the emulator answers what was matched of both amounts, of a buy and of a sale, and its version', async () => {
  const { emulator, tell } = exchange;
  const proxy = await openRecordingProxy(emulator.url);
  const settings = { ...VENUE_SETTINGS.polymarket, privateKeyFile: exchange.keyFile };
  const through = openPolymarket('polymarket', async () => proxy.url, settings);
  await send(through, order());
  const { spendMicros: _, ...sale } = order({ action: 'SELL', limitPriceMicros: 400_000n });
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'partial', count: '5' } });
  await send(through, sale);
  // 10 at 0.45 and the rest of 9.20 dollars at 0.46; 5 shares at 0.40
  expect(proxy.recorded.filter(({ path }) => path === '/order').map(({ body }) => body)).toMatchObject([
    { makingAmount: '9.2', takingAmount: '20.217391' },
    { makingAmount: '5', takingAmount: '2' },
  ]);
  expect(await (await fetch(`${emulator.url}/version`)).json()).toEqual({ version: 2 });
  await through.close();
  await proxy.close();
});

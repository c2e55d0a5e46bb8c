/** What only answers of Polymarket do: prove that nothing was taken, and until when, call a refusal a success, show half a trade. The rest: `bad-answers.test.ts`. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderTrade } from '../../src/emulators/polymarket/render.ts';
import type { Trade } from '../../src/emulators/polymarket/state.ts';
import { openPolymarket } from '../../src/venues/polymarket/polymarket.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { failure } from './exchange.ts';
import { openPolymarketExchange, orderOf, type PolymarketExchange, prepare, send } from './polymarket-venue.ts';
import { openRecordingProxy } from './recording-proxy.ts';

let exchange: PolymarketExchange;
beforeEach(async () => {
  exchange = await openPolymarketExchange();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await exchange.close();
});

const order = (changes: Partial<OrderToPlace> = {}) => orderOf(exchange, changes);

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

/** Answers of the emulated Polymarket that decide nothing, do not fit, or refuse, and what the adapter of Polymarket makes of each. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OrderToPlace } from '../../src/venues/order.ts';
import { VenueUnknown } from '../../src/venues/port.ts';
import { type Exchange, openExchange, orderOf, prepare, send } from './polymarket-venue.ts';

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
    ['live F2: 403 of another form says nothing', { kind: 'status', status: 403, body: {} }, false, null],
    ['live F2: 425 of another form says nothing', { kind: 'status', status: 425, body: {} }, false, 5_000],
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
      'live F3: post-only mode holds no longer than two minutes, whatever it says',
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
    ['an unknown status of a trade', 'GET /data/trades', trade({ status: 'PERHAPS' })],
    ['a negative size', 'GET /data/trades', trade({ size: '-5' })],
    ['a price above a dollar', 'GET /data/trades', trade({ price: '1.5' })],
    ['a time that is none', 'GET /data/trades', trade({ match_time: 'noon' })],
    ['an unknown status of an order', 'GET /data/order', { id: '0x1', status: 'ORDER_STATUS_ODD' }],
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

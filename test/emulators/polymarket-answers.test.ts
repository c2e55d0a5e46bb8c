/**
 * What only answers of Polymarket do: prove that nothing was taken, and until when, call a refusal a success, show half a trade; and its
 * unknown words, of which each is noted once and loses nothing. The rest: `bad-answers.test.ts`.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderTrade } from '../../src/emulators/polymarket/render.ts';
import type { Trade } from '../../src/emulators/polymarket/state.ts';
import { openPolymarket } from '../../src/venues/polymarket/polymarket.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { failure } from './exchange.ts';
import {
  openPolymarketExchange,
  orderOf,
  type PolymarketExchange,
  polymarketTrades,
  prepare,
  send,
} from './polymarket-venue.ts';
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
  test("a trade of somebody else's order is none of ours", async () => {
    const one = await prepare(exchange.venue, order());
    exchange.tell({
      do: 'fault',
      on: 'GET /data/trades',
      fault: { kind: 'status', status: 200, body: polymarketTrades({}) },
    });
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

const words = () => exchange.venue.unknowns?.().map(({ about, word }) => `${about}: ${word}`);
const since = () => new Date(Date.now() - 60_000);

/** The next answer of the first page of events, as the exchange may give it one day. */
async function changeEvents(change: (event: object) => object): Promise<void> {
  const answer = await fetch(`${exchange.emulator.url}/events/keyset?limit=100&closed=false`);
  const { events } = (await answer.json()) as { events: object[] };
  const body = { events: events.map(change) };
  exchange.tell({ do: 'fault', on: 'GET /events/keyset', fault: { kind: 'answer', status: 200, body } });
}

test.each([
  ['tags that are new', { tags: [{ slug: 'gardening' }] }, { category: 'world' }, ['category: gardening']],
  ['no tags', { tags: null }, { category: 'world' }, ['category: no tag']],
  ['a new field', { weather: 'dry' }, {}, ['field of Event: weather']],
  ['a picture without an address', { image: '' }, { imageUrl: null }, []],
])('an event with %s is not lost', async (_, change, listed, told) => {
  await changeEvents((event) => ({ ...event, ...change }));
  const { events, invalid } = await exchange.venue.catalogue();
  expect([events.length, invalid]).toEqual([1, []]);
  expect(events[0]).toMatchObject(listed);
  expect(words()).toEqual(told);
});

test('an order with a new status is not lost, and hides none of its page: it may still fill', async () => {
  const { venue, account } = exchange;
  const one = await prepare(venue, orderOf(exchange));
  await venue.placeOrder(one, () => true);
  Object.assign([...account.orders.values()][0] ?? {}, { status: 'HIBERNATING' });
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({ outcome: 'found', order: { state: 'working' } });
  expect(words()).toEqual(['order status: HIBERNATING']);
  const [known] = account.orders.values();
  const body = { data: [{ ...open(known?.hash ?? ''), status: 'ORDER_STATUS_HIBERNATING' }], next_cursor: 'LTE=' };
  exchange.tell({ do: 'fault', on: 'GET /data/orders', fault: { kind: 'answer', status: 200, body } });
  expect(await venue.account?.ordersSince(since())).toMatchObject([{ state: 'working' }]);
  expect(words()).toEqual(['order status: HIBERNATING']);
});

/** As the list of open orders has it. */
function open(id: string): object {
  const { market } = exchange;
  return { id, asset_id: market.tokens[0], side: 'BUY', original_size: '20', size_matched: '0', status: 'LIVE' };
}

test('of a trade in which we have a new role nothing is booked, and its order stays open', async () => {
  const { venue } = exchange;
  const one = await prepare(venue, orderOf(exchange));
  await venue.placeOrder(one, () => true);
  const listed = await venue.findOrder(one.ourId, one);
  expect(listed).toMatchObject({ order: { state: 'closed', fills: [{}, {}] } });
  const { account } = exchange;
  const data = account.trades.map((trade) => ({ ...renderTrade(trade, account), trader_side: 'BYSTANDER' }));
  exchange.tell({
    do: 'fault',
    on: 'GET /data/trades',
    fault: { kind: 'answer', status: 200, body: { data, next_cursor: 'LTE=' } },
  });
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'working', fills: [] } });
  expect(words()).toEqual(['role in a trade: BYSTANDER']);
});

// contract 18.7
test('a refusal with a new text ends the order, and the text is told without its numbers; by another status it decides nothing', async () => {
  const { venue, tell } = exchange;
  const body = { error: 'order 0x12ab is invalid. Moon 0.45 in the way' };
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'status', status: 400, body } });
  expect(await send(venue, orderOf(exchange))).toEqual({ outcome: 'rejected', reason: 'refused', order: null });
  expect(words()).toEqual(['answer to an order: 400 order # is invalid. Moon # in the way']);
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'answer', status: 404, body } });
  await expect(send(venue, orderOf(exchange))).rejects.toMatchObject({ name: 'VenueUnknown', notTaken: false });
  expect(words()).toEqual(['answer to an order: 404']);
  const known = { error: 'could not run the execution' };
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'answer', status: 400, body: known } });
  await expect(send(venue, orderOf(exchange))).rejects.toMatchObject({ name: 'VenueUnknown', notTaken: false });
  expect(words()).toEqual([]);
});

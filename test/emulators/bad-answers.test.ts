/** Answers that decide nothing, refuse, or do not fit, at each exchange in its own words: what its adapter makes of them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { EXCHANGES, type ExchangeName } from './every-exchange.ts';
import { type Exchange, failure } from './exchange.ts';
import { kalshiFill } from './kalshi-venue.ts';
import { polymarketTrades } from './polymarket-venue.ts';

type Body = object | string;

interface Answers {
  /** The order is taken, and the answer does not say so. */
  readonly nothing: readonly (readonly [what: string, status: number, body: Body])[];
  /** The order is not taken. `as`: every form in which the exchange says so. */
  readonly refuses: readonly {
    readonly says: string;
    readonly reason: string;
    readonly as: readonly (readonly [status: number, body: Body])[];
    readonly noted?: readonly string[];
  }[];
  /** The exchange has an order with this id. */
  readonly duplicates: readonly (readonly [status: number, body: Body])[];
  /** Lists of our account. */
  readonly odd: readonly (readonly [what: string, list: 'orders' | 'fills', body: (ourId: string) => Body])[];
}

const KALSHI: Answers = {
  nothing: [
    ['a flat code that is not known', 400, { code: 'order_group_triggered', message: 'no' }],
    ['a nested code that is not known', 400, { error: { code: 'order_group_triggered', message: 'no' } }],
    ['an exchange that is not available', 400, { code: 'exchange_unavailable', message: 'EXCHANGE_UNAVAILABLE' }],
    [
      'a service that is not available',
      503,
      { error: { code: 'service_unavailable', message: 'service unavailable' } },
    ],
    ['a message without a code', 400, { msg: 'insufficient balance' }],
    ['a nested message without a code', 400, { error: { message: 'insufficient balance' } }],
    ['an error in words', 400, { error: 'insufficient balance' }],
    ['a conflict with a code that is not known', 409, { code: 'conflict', message: 'conflict' }],
    ['a conflict of a gateway', 409, { message: 'Conflict' }],
    ['401 without a code', 401, { msg: 'unauthorized' }],
    ['403 of a gateway', 403, { message: 'Forbidden' }],
    ['403 of a gateway in other words', 403, { error: 'forbidden' }],
  ],
  refuses: (
    [
      ['insufficient_balance', 400],
      ['invalid_price', 400],
      ['invalid_order', 400],
      ['invalid_parameters', 400],
      ['fill_or_kill_insufficient_resting_volume', 400],
      ['deprecated_v1_order_endpoint', 400],
      ['fok_insufficient_volume', 409],
      ['trading_is_paused', 409],
      ['exchange_is_paused', 409],
      ['not_found', 404],
    ] as const
  ).map(([code, status]) => ({
    says: code,
    reason: code,
    as: [
      [status, { error: { code, message: 'no', service: 'exchange' } }],
      [status, { code, message: 'no' }],
    ],
  })),
  duplicates: [
    [409, { error: { code: 'order_already_exists', message: 'no', service: 'exchange' } }],
    [409, { code: 'order_already_exists', message: 'no' }],
  ],
  odd: [
    ['a negative size of an order', 'orders', (ourId) => kalshiOrders(ourId, { fill_count_fp: '-2.00' })],
    ['a side that does not exist', 'orders', (ourId) => kalshiOrders(ourId, { book_side: 'middle' })],
    ['a negative size of a fill', 'fills', () => kalshiFills({ count_fp: '-2.00' })],
    ['a price above a dollar', 'fills', () => kalshiFills({ yes_price_dollars: '1.4500' })],
    ['a fee that is no number', 'fills', () => kalshiFills({ fee_cost: 'much' })],
    ['a time that is none', 'fills', () => kalshiFills({ created_time: 'noon' })],
  ],
};

function kalshiOrders(ourId: string, changes: object): object {
  const order = {
    order_id: 'o-1',
    client_order_id: ourId,
    ticker: 'KXTEST-26-T1',
    book_side: 'bid',
    status: 'executed',
    initial_count_fp: '2.00',
    fill_count_fp: '2.00',
    remaining_count_fp: '0.00',
    ...changes,
  };
  return { orders: [order], cursor: '' };
}

const kalshiFills = (changes: object): object => ({ fills: [kalshiFill(changes)], cursor: '' });

const POLYMARKET: Answers = {
  nothing: [
    ['a delay without success', 200, { success: false, status: 'delayed', errorMsg: 'not enough balance / allowance' }],
    [
      'an error of an order that was matched',
      200,
      { success: true, status: 'matched', errorMsg: 'invalid expiration' },
    ],
    ['a failed execution called a success', 200, { success: true, errorMsg: 'could not run the execution' }],
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
  ],
  refuses: (
    [
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
    ] as const
  ).map(([error, reason]) => ({
    says: error,
    reason,
    as: [
      [400, { error }],
      [200, { success: false, errorMsg: error }],
    ],
    noted: reason === 'invalid_signature' ? ['INLAY_POLYMARKET_SIGNATURE_TYPE and INLAY_POLYMARKET_FUNDER'] : [],
  })),
  duplicates: [
    [400, { error: 'order 0xabc is invalid. Duplicated.' }],
    [400, { error: 'INVALID_ORDER_DUPLICATED' }],
  ],
  odd: [
    ['a negative size', 'fills', () => polymarketTrades({ size: '-5' })],
    ['a price above a dollar', 'fills', () => polymarketTrades({ price: '1.5' })],
    ['a time that is none', 'fills', () => polymarketTrades({ match_time: 'noon' })],
    ['an order without its sizes', 'orders', () => ({ id: '0x1', status: 'ORDER_STATUS_LIVE' })],
    ['a list that is none', 'fills', () => ({ data: 'none' })],
  ],
};

const GEMINI: Answers = {
  nothing: [
    ['a word that is not documented', 422, { error: 'NoSuchReason', message: 'x' }],
    ['a refusal without its form', 422, { detail: 'InsufficientFunds' }],
    ['an error of the exchange', 503, { error: 'SERVICE_UNAVAILABLE' }],
    ['a page', 200, '<html>'],
  ],
  refuses: [
    {
      says: 'InsufficientFunds',
      reason: 'InsufficientFunds',
      as: [
        [422, { error: 'InsufficientFunds', message: 'x' }],
        [400, { result: 'error', reason: 'InsufficientFunds', message: 'x' }],
      ],
    },
  ],
  duplicates: [[422, { error: 'DuplicateOrder', message: 'x' }]],
  odd: [
    ['a list of orders that is none', 'orders', () => ({ orders: 'none' })],
    ['a list of trades that is none', 'fills', () => ({ trades: 'none' })],
  ],
};

const ANSWERS: Readonly<Record<ExchangeName, Answers>> = { kalshi: KALSHI, polymarket: POLYMARKET, gemini: GEMINI };

describe.each(EXCHANGES)('an answer of %s', (name, open) => {
  const { nothing, refuses, duplicates, odd } = ANSWERS[name];
  let exchange: Exchange;
  beforeEach(async () => {
    exchange = await open();
  });
  afterEach(() => exchange.close());

  const send = (one: OrderToPlace) => exchange.venue.placeOrder(one, () => true);
  const arm = (on: string, fault: object) => exchange.tell({ do: 'fault', on, fault });

  // contract 18.7
  test.each(nothing)('decides nothing: %s', async (_, status, body) => {
    const one = await exchange.order();
    arm(exchange.paths.send, { kind: 'answer', status, body });
    expect(await failure(send(one))).toMatchObject({ name: 'VenueUnknown', notTaken: false });
    expect(await exchange.venue.findOrder(one.ourId, one)).toMatchObject({
      outcome: 'found',
      order: { state: 'closed', fills: [{}, {}] },
    });
  });

  test.each(refuses)('refuses: $says', async ({ reason, as, noted = [] }) => {
    for (const [status, body] of as) {
      const one = await exchange.order();
      arm(exchange.paths.send, { kind: 'status', status, body });
      expect(await send(one)).toEqual({ outcome: 'rejected', reason, order: null });
    }
    expect(exchange.venue.unknowns?.().map(({ about }) => about)).toEqual(noted);
    expect(exchange.taken()).toBe(0);
  });

  test.each(duplicates)('that the order is there already has it looked up: %i %j', async (status, body) => {
    arm(exchange.paths.send, { kind: 'answer', status, body });
    expect(await send(await exchange.order())).toMatchObject({ outcome: 'accepted', order: { fills: [{}, {}] } });
    // and an order that is not there is unknown
    arm(exchange.paths.send, { kind: 'status', status, body });
    expect(await failure(send(await exchange.order()))).toMatchObject({ name: 'VenueUnknown', notTaken: false });
  });

  test.each(odd)('to a look-up is evidence: %s', async (_, list, body) => {
    const one = await exchange.order();
    await send(one);
    arm(exchange.paths[list], { kind: 'status', status: 200, body: body(one.ourId) });
    const error = await failure(exchange.venue.findOrder(one.ourId, one));
    expect(error).toMatchObject({ name: 'VenueUnknown', notTaken: false, evidence: { about: expect.any(String) } });
  });

  test('of HTML to an order is no answer', async () => {
    arm(exchange.paths.send, { kind: 'html' });
    expect(await failure(send(await exchange.order()))).toMatchObject({ name: 'VenueUnknown', notTaken: false });
  });

  test.each(['orders', 'fills'] as const)('of HTML to a look-up is no answer: %s', async (list) => {
    const one = await exchange.order();
    await send(one);
    arm(exchange.paths[list], { kind: 'html' });
    const found = exchange.venue.findOrder(one.ourId, one);
    expect(await failure(found)).toMatchObject({ name: 'VenueUnknown', notTaken: false });
  });
});

/** The adapter of Polymarket against the emulated exchange: signatures, orders by hash, trades to their end, fees and the account. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OrderToPlace } from '../../src/venues/order.ts';
import { VenueUnknown } from '../../src/venues/port.ts';
import {
  type Exchange,
  keyFileWith,
  OTHER_KEY,
  openExchange,
  orderOf,
  prepare,
  SIGNER,
  send,
} from './polymarket-venue.ts';

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

test('a buy spends its dollars level by level, and a better price fills more than was asked for', async () => {
  const { venue, account, market } = exchange;
  const one = await prepare(venue, order());
  expect(await venue.placeOrder(one, () => true)).toMatchObject({
    outcome: 'accepted',
    order: { state: 'working', venueOrderId: one.venueRef, fills: [] },
  });
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({
    outcome: 'found',
    order: {
      state: 'closed',
      side: 'YES',
      listingId: market.tokens[0],
      fills: [
        // 0.05 * 10 * 0.45 * 0.55
        { priceMicros: 450_000n, quantityMicros: 10_000_000n, feeMicros: 123_750n },
        { priceMicros: 460_000n, quantityMicros: 10_217_391n, feeMicros: 126_890n },
      ],
    },
  });
  expect(account.shares.get(market.tokens[0])).toBe(20_217_391n);
  expect(account.cash).toBe(1_000_000_000n - 9_200_000n - 123_750n - 126_890n);
});

test('NO is its own token: its asks are the complement of the bids of YES, and what was bought is sold', async () => {
  const { venue, account, market } = exchange;
  const no = { side: 'NO', quantityMicros: 10_000_000n, limitPriceMicros: 600_000n, spendMicros: 6_000_000n } as const;
  const bought = await prepare(venue, order(no));
  await venue.placeOrder(bought, () => true);
  expect(await venue.findOrder(bought.ourId, bought)).toMatchObject({
    order: { side: 'NO', listingId: market.tokens[0], fills: [{ priceMicros: 600_000n, quantityMicros: 10_000_000n }] },
  });
  expect(account.shares.get(market.tokens[1])).toBe(10_000_000n);
  const { spendMicros: _, ...sale } = order({ ...no, action: 'SELL', limitPriceMicros: 540_000n });
  const sold = await prepare(venue, sale);
  await venue.placeOrder(sold, () => true);
  expect(await venue.findOrder(sold.ourId, sold)).toMatchObject({
    order: { action: 'SELL', fills: [{ priceMicros: 550_000n, quantityMicros: 10_000_000n }] },
  });
  expect(account.shares.size).toBe(0);
});

test('nothing is filled before its trade is confirmed', async () => {
  const { venue, tell } = exchange;
  tell({ do: 'settlement', minedMs: 0, finalMs: 1_200 });
  const one = await prepare(venue, order());
  await venue.placeOrder(one, () => true);
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'working', fills: [] } });
  expect(await venue.fills(one.ourId, one)).toEqual([]);
  await expect
    .poll(() => venue.findOrder(one.ourId, one), { timeout: 5_000 })
    .toMatchObject({ order: { state: 'closed', fills: [{}, {}] } });
  expect(await venue.fills(one.ourId, one)).toHaveLength(2);
});

test('a trade that fails leaves nothing, and its order is closed', async () => {
  const { venue, account, tell } = exchange;
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'trade_fails' } });
  const one = await prepare(venue, order());
  await venue.placeOrder(one, () => true);
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'closed', fills: [] } });
  expect([account.cash, account.shares.size]).toEqual([1_000_000_000n, 0]);
});

test('an order that the exchange delays works until it was matched', async () => {
  const { venue, tell } = exchange;
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'delayed', ms: 700 } });
  const one = await prepare(venue, order());
  expect(await venue.placeOrder(one, () => true)).toMatchObject({ order: { state: 'working' } });
  expect(await venue.cancelOrder(one.ourId, one)).toMatchObject({ order: { state: 'working' } });
  await expect
    .poll(() => venue.findOrder(one.ourId, one), { timeout: 5_000 })
    .toMatchObject({ order: { state: 'closed', fills: [{}, {}] } });
});

test('what is not matched at its price is cancelled', async () => {
  const { venue } = exchange;
  const one = await prepare(
    venue,
    order({ limitPriceMicros: 450_000n, quantityMicros: 20_000_000n, spendMicros: 9_000_000n }),
  );
  await venue.placeOrder(one, () => true);
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({
    order: { state: 'closed', fills: [{ quantityMicros: 10_000_000n }] },
  });
});

test('an answer that is lost leaves the order unknown, and a look-up by its hash finds it', {
  timeout: 30_000,
}, async () => {
  const { venue, account, tell } = exchange;
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'timeout_after_apply' } });
  const one = await prepare(venue, order());
  expect(await failure(venue.placeOrder(one, () => true))).toMatchObject({ name: 'VenueUnknown', notTaken: false });
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({ outcome: 'found', order: { fills: [{}, {}] } });
  expect(account.orders.size).toBe(1);
});

test('an order that never arrived is not found, which proves nothing at this exchange', {
  timeout: 30_000,
}, async () => {
  const { venue, tell } = exchange;
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'timeout_before_apply' } });
  const one = await prepare(venue, order());
  expect(await failure(venue.placeOrder(one, () => true))).toMatchObject({ notTaken: false });
  expect(await venue.findOrder(one.ourId, one)).toEqual({ outcome: 'not_found' });
  expect(venue.lookupIsComplete).toBe(false);
});

test('the same order of ours has the same hash, and is there once', async () => {
  const { venue, account } = exchange;
  const one = order();
  const [first, second] = [await prepare(venue, one), await prepare(venue, one)];
  expect(second).toEqual(first);
  await venue.placeOrder(first, () => true);
  expect(await venue.placeOrder(second, () => true)).toMatchObject({ outcome: 'accepted', order: { fills: [{}, {}] } });
  expect(account.orders.size).toBe(1);
});

test('nothing is sent once it may not be written', async () => {
  const one = await prepare(exchange.venue, order());
  expect(await failure(exchange.venue.placeOrder(one, () => false))).toMatchObject({ notTaken: true });
  expect(exchange.account.orders.size).toBe(0);
});

describe('answers without a decision', () => {
  test.each([
    ['429 says that the order was not taken', { kind: 'status', status: 429, body: {}, retryAfter: '3' }, true, 3_000],
    ['a restart of the engine says so too', { kind: 'status', status: 425, body: {} }, true, 5_000],
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

describe('the wallet', () => {
  const FUNDER = '0x1234567890123456789012345678901234567890';

  test.each([1, 2, 3])('of kind %i holds the money for its owner, whose key signs', async (signatureType) => {
    exchange.tell({ do: 'wallet', signer: SIGNER, funder: FUNDER, signatureType, cash: '1000' });
    const venue = exchange.open({ signatureType, funder: FUNDER });
    const one = await prepare(venue, order());
    await venue.placeOrder(one, () => true);
    expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'closed', fills: [{}, {}] } });
    await venue.close();
  });

  test('of another kind than the account is refused', async () => {
    exchange.tell({ do: 'wallet', signer: SIGNER, funder: FUNDER, signatureType: 2, cash: '1000' });
    const venue = exchange.open({ signatureType: 1, funder: FUNDER });
    expect(await send(venue, order())).toMatchObject({ outcome: 'rejected', reason: 'invalid_signature' });
    await venue.close();
  });

  test('of a market with neg risk signs for the other contract', async () => {
    const { tell, venue, emulator } = exchange;
    tell({ do: 'market', name: 'n', title: 'N', closeTime: '2099-01-01T00:00:00Z', negRisk: true });
    tell({ do: 'book', name: 'n', bids: [], asks: [['0.46', '100']] });
    const listingId = emulator.state.markets.get('n')?.tokens[0] ?? '';
    expect(await send(venue, order({ listingId }))).toMatchObject({ outcome: 'accepted' });
  });

  test('that the exchange does not know is refused before an order is sent', async () => {
    const venue = exchange.open({ privateKeyFile: keyFileWith(OTHER_KEY) });
    expect(await failure(prepare(venue, order()))).toMatchObject({ name: 'VenueUnknown', notTaken: true });
    await venue.close();
  });

  test('keeps what was answered about credentials to itself, for it may hold the secret', async () => {
    const body = { apiKey: 'key', secret: 'c2VjcmV0', passphrase: 7 };
    exchange.tell({ do: 'fault', on: 'GET /auth', fault: { kind: 'status', status: 200, body } });
    const error = (await failure(prepare(exchange.venue, order()))) as VenueUnknown;
    expect([error.notTaken, error.evidence, error.cause]).toEqual([true, null, undefined]);
    expect(error.message).not.toContain('c2VjcmV0');
  });

  test('whose credentials were revoked asks for new ones, and the order counts as not taken', async () => {
    const { venue, account } = exchange;
    const one = await prepare(venue, order());
    account.credentials = null;
    expect(await failure(venue.placeOrder(one, () => true))).toMatchObject({ notTaken: true });
    const next = await prepare(venue, order());
    expect(await venue.placeOrder(next, () => true)).toMatchObject({ outcome: 'accepted' });
  });
});

test('the account answers for its orders and trades by hash, for positions and for cash', async () => {
  const { venue, market, tell } = exchange;
  const one = await prepare(venue, order());
  await venue.placeOrder(one, () => true);
  const since = new Date(Date.now() - 60_000);
  const { account } = venue;
  expect(await account?.ordersSince(since)).toMatchObject([{ ourId: one.venueRef, state: 'closed', fills: [{}, {}] }]);
  expect((await account?.fillsSince(since))?.map(({ ourId }) => ourId)).toEqual([one.venueRef, one.venueRef]);
  expect(await account?.positions()).toEqual([
    { listingId: market.tokens[0], side: 'YES', quantityMicros: 20_217_391n },
  ]);
  expect(Math.abs(((await account?.serverTime())?.getTime() ?? 0) - Date.now())).toBeLessThan(2_000);
  // a resolved position is there until it is redeemed, and then it is cash
  tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0.5', '0.5'] });
  const cash = 1_000_000_000n - 9_200_000n - 123_750n - 126_890n;
  expect(await account?.positions()).toHaveLength(1);
  expect([await account?.balanceMicros(), await account?.redeemableMicros?.()]).toEqual([cash, 10_108_695n]);
  tell({ do: 'redeem' });
  expect(await account?.positions()).toEqual([]);
  expect([await account?.balanceMicros(), await account?.redeemableMicros?.()]).toEqual([cash + 10_108_695n, 0n]);
});

test('a result is taken once it is resolved, a half as a split; proposals and disputes leave trading open', async () => {
  const { venue, market, tell } = exchange;
  const read = async () => (await venue.catalogue([market.tokens[0]])).events[0]?.markets[0];
  for (const status of ['proposed', 'disputed', 'proposed']) {
    tell({ do: 'oracle', name: 't', status });
    expect(await read()).toMatchObject({ status: 'open', resolution: null });
  }
  tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0.5', '0.5'] });
  expect(await read()).toMatchObject({
    status: 'resolved',
    resolution: { outcome: 'SPLIT', yesWorthMicros: 500_000n },
  });
});

test('without a key the venue is only read', async () => {
  const reader = exchange.open({ privateKeyFile: undefined });
  expect(reader.account).toBeNull();
  expect((await reader.book(exchange.market.tokens[0]))?.asks[0]).toEqual({
    priceMicros: 450_000n,
    quantityMicros: 10_000_000n,
  });
  expect(await reader.placeOrder(order(), () => true)).toMatchObject({ outcome: 'rejected', reason: 'read_only' });
  await reader.close();
});

describe('what the wallet can pay', () => {
  const wallet = (parts: object) => exchange.tell({ do: 'wallet', signer: SIGNER, ...parts });

  test('a buy beyond the balance, fee included, is not prepared and so never sent', async () => {
    wallet({ cash: '9.3' });
    // 9.20 dollars and 0.248400 of fee
    expect(await exchange.venue.prepareOrder?.(order())).toEqual({ unfit: 'unpaid' });
    wallet({ cash: '9.4484' });
    expect(await exchange.venue.prepareOrder?.(order())).toHaveProperty('venueRef');
  });

  test('a buy beyond the allowance is not prepared, and doctor says what to do', async () => {
    wallet({ cash: '1000', allowance: '5' });
    expect(await exchange.venue.prepareOrder?.(order())).toEqual({ unfit: 'unpaid' });
    expect(await exchange.venue.account?.inspect?.()).toEqual([
      { name: 'key', ok: true, detail: `${SIGNER} is accepted; the money is that of ${SIGNER}` },
      { name: 'clock', ok: true, detail: expect.stringMatching(/^-?\d+ ms from that of this machine$/) },
      { name: 'balance', ok: true, detail: '1000 dollars' },
      {
        name: 'allowance',
        ok: false,
        detail:
          "markets of kind ordinary may take 5 dollars, neg-risk may take 5 dollars; make one trade on the exchange's site to set the allowance",
      },
      { name: 'redeemable', ok: true, detail: 'nothing waits to be redeemed' },
    ]);
  });

  test('a sale of shares that are not there is not prepared', async () => {
    const { spendMicros: _, ...sale } = order({ action: 'SELL', limitPriceMicros: 400_000n });
    expect(await exchange.venue.prepareOrder?.(sale)).toEqual({ unfit: 'unpaid' });
  });

  test('before the answer is no, the exchange reads the chain again', async () => {
    wallet({ cash: '1' });
    const answer = exchange.emulator.faults.take.bind(exchange.emulator.faults);
    vi.spyOn(exchange.emulator.faults, 'take').mockImplementation((on) => {
      if (on === 'GET /balance-allowance/update') {
        wallet({ cash: '1000' });
      }
      return answer(on);
    });
    expect(await exchange.venue.prepareOrder?.(order())).toHaveProperty('venueRef');
  });

  test('a resolved position is shown as redeemable until it is redeemed', async () => {
    const { venue, tell } = exchange;
    const one = await prepare(venue, order());
    await venue.placeOrder(one, () => true);
    expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'closed' } });
    tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0.5', '0.5'] });
    // 20.217391 shares at one half
    expect(await venue.account?.redeemableMicros?.()).toBe(10_108_695n);
    expect(await venue.account?.inspect?.()).toContainEqual(
      expect.objectContaining({
        name: 'redeemable',
        warning: true,
        detail: expect.stringContaining('10.108695 dollars'),
      }),
    );
    tell({ do: 'redeem' });
    expect(await venue.account?.redeemableMicros?.()).toBe(0n);
  });
});

/** What only the adapter of Gemini does: signatures and nonces, orders without our id, trades that are listed late. The rest: `orders.test.ts`. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderToPlace, PlaceAnswer } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { failure } from './exchange.ts';
import {
  type GeminiExchange,
  KEY_ID,
  openGeminiExchange,
  geminiOrderOf as order,
  SYMBOL,
  secretFileWith,
} from './gemini-venue.ts';
import { openRecordingProxy } from './recording-proxy.ts';

const ORDER = 'POST /v1/prediction-markets/order';
let exchange: GeminiExchange;
beforeEach(async () => {
  exchange = await openGeminiExchange();
});
afterEach(() => exchange.close());

const send = (one: OrderToPlace) => exchange.venue.placeOrder(one, () => true);

test('NO is bought and sold at its own price, trades listed at that of YES', async () => {
  const { tell, account } = exchange;
  tell({ do: 'lists', tradesInYes: true });
  const no = order({ side: 'NO', quantityMicros: 10_000_000n, limitPriceMicros: 600_000n });
  expect(await send(no)).toMatchObject({ order: { side: 'NO', fills: [{ priceMicros: 600_000n }] } });
  expect(account.positions.get(SYMBOL)).toBe(-10_000_000n);
  const sale = order({ side: 'NO', action: 'SELL', quantityMicros: 10_000_000n, limitPriceMicros: 540_000n });
  expect(await send(sale)).toMatchObject({ order: { action: 'SELL', fills: [{ priceMicros: 550_000n }] } });
  expect(account.positions.size).toBe(0);
});

test('an order that matches nothing is accepted, cancelled and listed', async () => {
  const none = order({ limitPriceMicros: 300_000n });
  const answer = await send(none);
  expect(answer).toMatchObject({ outcome: 'accepted', order: { state: 'closed', fills: [] } });
  expect(await exchange.venue.findOrder(none.ourId, { ...none, venueRef: answer.order?.venueOrderId })).toMatchObject({
    outcome: 'found',
    order: { state: 'closed', fills: [] },
  });
});

const ids = (clientIds: 'exchange' | 'sender' | 'none') => exchange.tell({ do: 'lists', clientIds });
const onlyOrder = () => [...exchange.account.orders.values()][0];

// contract 18.8
test('what never arrived is not found, in lists that have other orders of ours', { timeout: 30_000 }, async () => {
  const { venue, tell } = exchange;
  ids('sender');
  const [first, one] = [order(), order()];
  tell({ do: 'fault', on: ORDER, fault: { kind: 'timeout_before_apply' } });
  expect(await failure(send(one))).toMatchObject({ notTaken: false });
  expect(await venue.findOrder(one.ourId, one)).toEqual({ outcome: 'not_found', readOthers: false });
  await send(first);
  expect(await venue.findOrder(one.ourId, one)).toEqual({ outcome: 'not_found', readOthers: true });
  expect(venue.lookupIsComplete).toBe(true);
});

// contract 18.18
test.each(['exchange', 'none'] as const)(
  'an answer that carries the id of the %s is about our order if it says the same, and the exchange’s own id finds it again',
  async (clientIds) => {
    const { venue } = exchange;
    ids(clientIds);
    const one = order();
    const answer = await send(one);
    expect(answer).toMatchObject({
      outcome: 'accepted',
      order: { ourId: one.ourId, state: 'closed', fills: [{}, {}] },
    });
    const venueRef = answer.order?.venueOrderId;
    expect(venueRef).toBe(String(onlyOrder()?.orderId));
    const named = { ...one, sentAt: new Date(), venueRef };
    expect(await venue.findOrder(one.ourId, named)).toEqual({ outcome: 'found', order: answer.order });
    expect(await venue.fills(one.ourId, named)).toEqual(answer.order?.fills);
    // an order that the exchange has taken cannot be absent, whatever its lists show
    exchange.account.orders.clear();
    expect(await failure(venue.findOrder(one.ourId, named))).toMatchObject({ evidence: { about: 'orders' } });
  },
);

test.each([
  ['price', { price: 450_000n }],
  ['quantity', { count: 19_000_000n }],
  ['outcome', { outcome: 'no' }],
  ['direction', { side: 'sell' }],
])('an answer without our id that says another %s is about no order of ours', async (_, change) => {
  // the emulator answers with the order as it is kept
  exchange.account.orders.set = function set(id, one) {
    return Map.prototype.set.call(this, id, Object.assign(one, change)) as typeof this;
  };
  expect(await failure(send(order()))).toMatchObject({ notTaken: false, evidence: { about: 'order' } });
});

test('trades that cannot be read after an order was taken leave it working, under the exchange’s own id', async () => {
  exchange.tell({ do: 'fault', on: 'POST /v1/mytrades', fault: { kind: 'html' } });
  expect(await send(order())).toMatchObject({
    outcome: 'accepted',
    order: { state: 'working', fills: [], venueOrderId: String(onlyOrder()?.orderId) },
  });
});

// contract 18.18
test('after a lost answer, each order without an id of ours that could be this one is returned, and no other', {
  timeout: 30_000,
}, async () => {
  const { venue, tell } = exchange;
  const [before, one] = [order(), order()];
  const sentAt = new Date();
  await send(before);
  Object.assign(onlyOrder() ?? {}, { createdAt: new Date(sentAt.getTime() - 6_000) });
  tell({ do: 'fault', on: ORDER, fault: { kind: 'timeout_after_apply' } });
  expect(await failure(send(one))).toMatchObject({ name: 'VenueUnknown', notTaken: false });
  // the other direction, the same direction in the other words, another contract
  const [mirrored, opposite] = [
    order({ side: 'NO', action: 'SELL', limitPriceMicros: 540_000n }),
    order({ action: 'SELL', quantityMicros: 1_000_000n, limitPriceMicros: 400_000n }),
  ];
  await send(opposite);
  await send(mirrored);
  const found = await venue.findOrder(one.ourId, { ...one, sentAt });
  const sentIds = new Map(
    [...exchange.account.orders.values()].map(({ orderId, sentId }) => [String(orderId), sentId]),
  );
  expect(found.outcome === 'unnamed' && found.orders.map(({ venueOrderId }) => sentIds.get(venueOrderId))).toEqual([
    mirrored.ourId,
    one.ourId,
  ]);
  expect(found).toMatchObject({
    readOthers: false,
    orders: [
      { side: 'NO', action: 'SELL' },
      {
        listingId: SYMBOL,
        side: 'YES',
        action: 'BUY',
        quantityMicros: 20_000_000n,
        limitPriceMicros: 460_000n,
        filled: { quantityMicros: 20_000_000n, priceMicros: 460_000n },
      },
    ],
  });
});

// contract 18.18
test('a trade of no listed order, and an order that cannot be read, leave an order that is not listed unknown', async () => {
  const { venue, account } = exchange;
  await send(order());
  const one = order();
  const sent = { ...one, sentAt: new Date() };
  const [theirs] = account.orders.values();
  Object.assign(theirs ?? {}, { createdAt: new Date(Date.now() - 60_000) });
  expect(await venue.findOrder(one.ourId, sent)).toEqual({ outcome: 'not_found', readOthers: false });
  Object.assign(theirs ?? {}, { outcome: 'perhaps' });
  expect(await failure(venue.findOrder(one.ourId, sent))).toMatchObject({ evidence: { about: 'orders' } });
  account.orders.clear();
  expect(await failure(venue.findOrder(one.ourId, sent))).toMatchObject({ evidence: { about: 'orders' } });
  account.trades.length = 0;
  expect(await venue.findOrder(one.ourId, sent)).toEqual({ outcome: 'not_found', readOthers: false });
});

test('406 refuses an order only if a look-up does not find it', async () => {
  const { tell, account } = exchange;
  const body = { result: 'error', reason: 'InsufficientFunds', message: 'Insufficient funds' };
  tell({ do: 'fault', on: ORDER, fault: { kind: 'status', status: 406, body } });
  expect(await send(order())).toEqual({ outcome: 'rejected', reason: 'InsufficientFunds', order: null });
  // it was taken all the same
  const answered = { do: 'fault', on: ORDER, fault: { kind: 'answer', status: 406, body } };
  ids('sender');
  tell(answered);
  const one = order();
  expect(await send(one)).toMatchObject({ outcome: 'accepted', order: { ourId: one.ourId, fills: [{}, {}] } });
  ids('exchange');
  tell(answered);
  expect(await failure(send(order()))).toMatchObject({ name: 'VenueUnknown', notTaken: false });
  expect(account.orders.size).toBe(2);
  tell(answered);
  tell({ do: 'fault', on: 'POST /v1/prediction-markets/orders/active', fault: { kind: 'status', status: 429 } });
  expect(await failure(send(order()))).toMatchObject({ name: 'VenueUnknown', notTaken: false });
});

test('parameters are sent in the signed payload and once more as the body, without the nonce', async () => {
  const { emulator, open } = exchange;
  const proxy = await openRecordingProxy(emulator.url);
  const behind = open({}, proxy.url);
  const one = order();
  expect(await behind.placeOrder(one, () => true)).toMatchObject({ outcome: 'accepted' });
  await behind.account?.positions();
  const sent = (path: string) => proxy.recorded.find((each) => each.path === `/v1/prediction-markets/${path}`);
  const placed = sent('order');
  const signed = JSON.parse(Buffer.from(placed?.headers['x-gemini-payload'] ?? '', 'base64').toString());
  expect(placed?.sent).toMatchObject({ symbol: SYMBOL, clientOrderId: one.ourId, price: '0.46' });
  expect(signed).toEqual({ request: placed?.path, nonce: expect.any(Number), ...(placed?.sent as object) });
  expect(placed?.headers['content-type']).toBe('application/json');
  expect(sent('positions')).toMatchObject({ sent: undefined, headers: { 'content-type': 'text/plain' } });
  await behind.close();
  await proxy.close();
});

test('until its trades are listed an order is open, and it has no fill', async () => {
  const { venue, tell } = exchange;
  tell({ do: 'lists', tradesLateMs: 1_500 });
  const one = order();
  const answer = await send(one);
  expect(answer).toMatchObject({ order: { state: 'working', fills: [] } });
  const sent = { ...one, venueRef: answer.order?.venueOrderId };
  await until(
    async () =>
      expect(await venue.findOrder(one.ourId, sent)).toMatchObject({ order: { state: 'closed', fills: [{}, {}] } }),
    8_000,
  );
});

test.each([
  ['MarketNotOpen', { do: 'status', symbol: SYMBOL, status: 'closed' }],
  ['InsufficientFunds', { do: 'key', keyId: 'account-inlay', secret: 'a-secret-of-the-emulator', cash: '1' }],
])('%s refuses an order, and it is not there', async (reason, change) => {
  exchange.tell(change);
  expect(await send(order())).toEqual({ outcome: 'rejected', reason, order: null });
  expect(exchange.account.orders.size).toBe(0);
});

// contract 18.6
test('terms that are not accepted, no access, a wrong secret and a wrong clock: the exchange took nothing', async () => {
  const { emulator, open, account } = exchange;
  account.acceptedTerms = false;
  expect(await send(order())).toEqual({ outcome: 'rejected', reason: 'AcceptTermsRequired', order: null });
  account.acceptedTerms = true;
  const body = { error: 'TERMS_NOT_ACCEPTED', message: 'x' };
  exchange.tell({ do: 'fault', on: ORDER, fault: { kind: 'status', status: 403, body } });
  expect(await failure(send(order()))).toMatchObject({ notTaken: true, status: 403 });
  const stranger = open({ secretFile: secretFileWith('another-secret-of-nobody') });
  expect(await failure(stranger.placeOrder(order(), () => true))).toMatchObject({ notTaken: true, status: 400 });
  const nobody = open({ secretFile: '/nowhere/secret' });
  expect(await failure(nobody.placeOrder(order(), () => true))).toMatchObject({ notTaken: true });
  // the clock of the exchange is read, so that only a clock that jumps is refused
  exchange.tell({ do: 'clock', aheadMs: 120_000 });
  expect(await failure(send(order()))).toMatchObject({ notTaken: true, status: 400 });
  const fresh = open();
  expect(await fresh.placeOrder(order(), () => true)).toMatchObject({ outcome: 'accepted' });
  await Promise.all([stranger, nobody, fresh].map((one) => one.close()));
  expect(emulator.state.accounts.get('account-inlay')?.orders.size).toBe(1);
});

test('an order must fit the grid of its contract, which is read where it is not known', async () => {
  const { venue, tell, open } = exchange;
  const prepare = (changes: Partial<OrderToPlace>) => venue.prepareOrder?.(order(changes));
  expect(await prepare({})).toBeNull();
  expect(await prepare({ limitPriceMicros: 455_000n })).toEqual({ unfit: 'off_grid' });
  expect(await prepare({ quantityMicros: 500_000n })).toEqual({ unfit: 'below_minimum' });
  expect(await prepare({ listingId: 'GEMI-TEST-NONE' })).toEqual({ unfit: 'off_grid' });
  tell({
    do: 'contract',
    symbol: 'GEMI-TEST-T2',
    eventTicker: 'TEST',
    title: 'T',
    expiresAt: '2099-01-01T00:00:00.000Z',
    gridless: true,
  });
  const fresh = open();
  expect(await fresh.prepareOrder?.(order({ listingId: 'GEMI-TEST-T2' }))).toEqual({ unfit: 'off_grid' });
  expect((await fresh.catalogue()).events[0]?.markets.map(({ status }) => status)).toEqual(['open', 'paused']);
  await fresh.close();
});

test.each(['sender', 'exchange'] as const)(
  'the account answers for orders under the id of the %s, fills, positions, cash and what was settled',
  async (clientIds) => {
    const { venue, tell } = exchange;
    ids(clientIds);
    const [bought, sold] = [order(), order({ action: 'SELL', quantityMicros: 5_000_000n, limitPriceMicros: 400_000n })];
    const [first, second] = [await send(bought), await send(sold)];
    const known = (ourId: string, { order: placed }: PlaceAnswer) =>
      clientIds === 'sender' ? ourId : placed?.venueOrderId;
    const [buy, sale] = [known(bought.ourId, first), known(sold.ourId, second)];
    const since = new Date(Date.now() - 60_000);
    const { account } = venue;
    const listed = await account?.ordersSince(since);
    expect(listed?.map(({ ourId, action, state, fills }) => [ourId, action, state, fills.length])).toEqual([
      [sale, 'SELL', 'closed', 1],
      [buy, 'BUY', 'closed', 2],
    ]);
    expect((await account?.fillsSince(since))?.map(({ ourId }) => ourId).toSorted()).toEqual(
      [buy, buy, sale].toSorted(),
    );
    expect(await account?.positions()).toEqual([{ listingId: SYMBOL, side: 'YES', quantityMicros: 15_000_000n }]);
    const cash = exchange.account.cash;
    expect(await account?.balanceMicros()).toBe(cash);
    expect(await account?.settledSince?.(since, [])).toEqual([]);
    tell({ do: 'status', symbol: SYMBOL, status: 'settled', winner: 'yes' });
    expect(await account?.positions()).toEqual([]);
    expect(await account?.settledSince?.(since, [])).toEqual([SYMBOL]);
    expect(await account?.balanceMicros()).toBe(cash + 15_000_000n);
    expect(Math.abs(((await account?.serverTime())?.getTime() ?? 0) - Date.now())).toBeLessThan(30_000);
  },
);

// contract 18.6
test('deposits, withdrawals and rewards are listed under their ids, and what the bank has not completed is pending', async () => {
  const { venue, tell } = exchange;
  tell({ do: 'pay', keyId: KEY_ID, amount: '100', type: 'Deposit' });
  tell({ do: 'pay', keyId: KEY_ID, amount: '55', type: 'Deposit', status: 'Pending' });
  tell({ do: 'pay', keyId: KEY_ID, amount: '0.123456', type: 'Reward' });
  tell({ do: 'pay', keyId: KEY_ID, amount: '30', type: 'Withdrawal' });
  const listed = (await venue.account?.transfersSince?.(new Date(0))) ?? [];
  expect(listed.map(({ id, kind, amountMicros, pending }) => [id, kind, amountMicros, pending])).toEqual([
    ['4', 'withdrawal', -30_000_000n, false],
    ['3', 'reward', 123_456n, false],
    ['2', 'deposit', 55_000_000n, true],
    ['1', 'deposit', 100_000_000n, false],
  ]);
});

test('an order or a trade of somebody else that cannot be read hides none of ours; one that names no sender does', async () => {
  const { venue, account } = exchange;
  ids('sender');
  const [ours, theirs] = [order(), order({ ourId: 'of-somebody-else' })];
  await send(theirs);
  const [foreign] = account.orders.values();
  await send(ours);
  Object.assign(foreign ?? {}, { outcome: 'perhaps' });
  for (const trade of account.trades.filter(({ orderId }) => orderId === foreign?.orderId)) {
    Object.assign(trade, { price: -1n });
  }
  const since = new Date(Date.now() - 60_000);
  const listed = await venue.account?.ordersSince(since);
  expect(listed).toMatchObject([{ ourId: ours.ourId, state: 'closed', fills: [{}] }]);
  expect(await venue.findOrder(ours.ourId, ours)).toMatchObject({ outcome: 'found', order: { fills: [{}] } });
  expect(await venue.account?.fillsSince(since)).toMatchObject([{ ourId: ours.ourId }]);
  Object.assign(foreign ?? {}, { clientOrderId: null });
  expect(await failure(venue.findOrder(ours.ourId, ours))).toMatchObject({ name: 'VenueUnknown' });
});

test('a contract that no page lists any more is asked for by the parts of its name, with its result', async () => {
  const { tell, open } = exchange;
  tell({ do: 'contract', symbol: 'GEMI-A-B-C', eventTicker: 'A-B', title: 'T', expiresAt: '2099-01-01T00:00:00.000Z' });
  tell({ do: 'status', symbol: 'GEMI-A-B-C', status: 'settled', winner: 'no' });
  const fresh = open();
  expect((await fresh.catalogue()).events.map(({ eventId }) => eventId)).toEqual(['TEST']);
  const { events } = await fresh.catalogue(['GEMI-A-B-C', 'GEMI-NOT-THERE']);
  expect(events.find(({ eventId }) => eventId === 'A-B')?.markets[0]).toMatchObject({
    status: 'resolved',
    resolution: { outcome: 'NO' },
  });
  await fresh.close();
});

test('doctor says in a line each what is wrong, and asks what no document settles', { timeout: 20_000 }, async () => {
  const { venue, account, tell } = exchange;
  await send(order());
  const orderIds = async () => (await venue.account?.verify?.())?.find(({ name }) => name === 'order ids');
  expect(await orderIds()).toMatchObject({
    ok: false,
    warning: true,
    detail: expect.stringMatching(/^not proven: of the last 1 orders 0 carry an id of ours; /),
  });
  ids('sender');
  await send(order());
  expect(await orderIds()).toMatchObject({ ok: true, detail: 'of the last 2 orders 1 carry an id of ours' });
  const lines = async () =>
    Object.fromEntries(((await venue.account?.inspect?.()) ?? []).map((one) => [one.name, one.ok]));
  expect(await lines()).toEqual({ clock: true, terms: true, key: true, balance: true });
  account.acceptedTerms = false;
  account.cash = 0n;
  expect(await lines()).toEqual({ clock: true, terms: false, key: true, balance: false });
  const verified = async () =>
    Object.fromEntries(((await venue.account?.verify?.()) ?? []).map((one) => [one.name, one.ok]));
  expect(await verified()).toEqual({ nonce: true, events: true, 'order ids': true, fills: true, stream: true });
  tell({ do: 'lists', repeatsNonces: false, tradesLateMs: 60_000 });
  tell({ do: 'status', symbol: SYMBOL, status: 'closed' });
  // what is asked at the same moment may share a second, so that other lines may be refused too
  expect(await verified()).toMatchObject({ nonce: false, events: false });
});

test('a contract that is not there has no book', async () => {
  expect(await exchange.venue.book('GEMI-TEST-NONE')).toBeNull();
});

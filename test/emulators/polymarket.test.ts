/** The adapter of Polymarket against the emulated exchange: signatures, orders by hash, trades to their end, and the account. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { marketNamed } from '../../src/emulators/polymarket/control.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { type Exchange, openExchange, orderOf, prepare, SIGNER } from './polymarket-venue.ts';

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
  await until(
    async () =>
      expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'closed', fills: [{}, {}] } }),
    5_000,
  );
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
  await until(
    async () =>
      expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'closed', fills: [{}, {}] } }),
    5_000,
  );
});

test('a token of a market that is not listed costs the list of positions only itself, and an archived market is known', async () => {
  const { venue, account, tell } = exchange;
  const buys = ['YES', 'NO'] as const;
  for (const side of buys) {
    const one = await prepare(venue, order(side === 'YES' ? {} : { side, limitPriceMicros: 600_000n }));
    await venue.placeOrder(one, () => true);
  }
  await until(async () => expect(await venue.account?.positions()).toHaveLength(2));
  const held = await venue.account?.positions();
  const fills = await venue.account?.fillsSince(new Date(0));
  // anybody can send a token, also one that no market has any more
  tell({ do: 'market', name: 'combo', title: 'C', closeTime: '2099-01-01T00:00:00Z' });
  account.shares.set(marketNamed(exchange.emulator.state, 'combo').tokens[1], 1n);
  tell({ do: 'vanish', name: 'combo' });
  tell({ do: 'vanish', name: 't', vanished: 'catalogue' });
  // another worker, which has read no market before
  const later = exchange.open();
  expect(await later.account?.positions()).toEqual(held);
  expect(await later.account?.fillsSince(new Date(0))).toEqual(fills);
  const token = marketNamed(exchange.emulator.state, 'combo').tokens[1];
  expect(later.unknowns?.()).toEqual([{ about: 'token without a market', word: token, seen: 1 }]);
  tell({ do: 'oracle', name: 'combo', status: 'resolved', payout: ['0', '1'] });
  expect(await later.account?.redeemable?.()).toEqual([]);
  await later.close();
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
  expect(Math.abs(((await account?.serverTime())?.getTime() ?? 0) - Date.now())).toBeLessThan(30_000);
  // a resolved position is there until it is redeemed, and then it is cash
  tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0.5', '0.5'] });
  const cash = 1_000_000_000n - 9_200_000n - 123_750n - 126_890n;
  expect(await account?.positions()).toHaveLength(1);
  expect([await account?.balanceMicros(), await account?.redeemableMicros?.()]).toEqual([cash, 10_108_695n]);
  tell({ do: 'redeem' });
  expect(await account?.positions()).toEqual([]);
  expect([await account?.balanceMicros(), await account?.redeemableMicros?.()]).toEqual([cash + 10_108_695n, 0n]);
});

//
test('rebates, rewards, deposits and withdrawals are listed by their transactions; shares that somebody sent are held', async () => {
  const { venue, account, tell } = exchange;
  const before = account.cash;
  tell({ do: 'pay', signer: SIGNER, amount: '33.930001', type: 'TAKER_REBATE' });
  tell({ do: 'pay', signer: SIGNER, amount: '250', type: 'DEPOSIT' });
  tell({ do: 'pay', signer: SIGNER, amount: '40', type: 'WITHDRAWAL' });
  tell({ do: 'pay', signer: SIGNER, amount: '0.5', type: 'REWARD' });
  // two rows of one transaction are one payment
  const [rebate] = account.activity;
  account.activity.push({ ...(rebate as (typeof account.activity)[0]), amount: 1_000_000n });
  account.cash += 1_000_000n;
  const listed = (await venue.account?.transfersSince?.(new Date(0))) ?? [];
  expect(listed.map(({ kind, amountMicros }) => [kind, amountMicros]).sort()).toEqual([
    ['deposit', 250_000_000n],
    ['rebate', 34_930_001n],
    ['reward', 500_000n],
    ['withdrawal', -40_000_000n],
  ]);
  expect(listed.find(({ kind }) => kind === 'rebate')?.id).toBe(`TAKER_REBATE ${rebate?.transactionHash}`);
  expect(account.cash - before).toBe(listed.reduce((sum, { amountMicros }) => sum + amountMicros, 0n));
  tell({ do: 'gift', signer: SIGNER, name: 't', outcome: 1, shares: '0.000001' });
  expect(await venue.account?.positions()).toContainEqual(expect.objectContaining({ side: 'NO', quantityMicros: 1n }));
  // an exchange without this list pays surpluses that nothing explains
  tell({ do: 'data', versions: ['v1'] });
  expect(await venue.account?.transfersSince?.(new Date(0))).toEqual([]);
  tell({ do: 'data', versions: ['v2'] });
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

/** What only the adapter of Polymarket does: orders by hash, trades to their end, positions to be redeemed. The rest: `orders.test.ts`. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { marketNamed } from '../../src/emulators/polymarket/control.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { failure } from './exchange.ts';
import { openPolymarketExchange, orderOf, type PolymarketExchange, prepare, SIGNER, send } from './polymarket-venue.ts';

let exchange: PolymarketExchange;
beforeEach(async () => {
  exchange = await openPolymarketExchange();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await exchange.close();
});

const order = (changes: Partial<OrderToPlace> = {}) => orderOf(exchange, changes);

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

test('the same order of ours has the same hash, whenever it is prepared', async () => {
  const one = order();
  const [first, second] = [await prepare(exchange.venue, one), await prepare(exchange.venue, one)];
  expect(second).toEqual(first);
});

test('a resolved position is there until it is redeemed, and then it is cash', async () => {
  const { venue, account, tell } = exchange;
  await send(venue, order());
  const cash = account.cash;
  tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0.5', '0.5'] });
  expect(await venue.account?.positions()).toHaveLength(1);
  const money = async () => [await venue.account?.balanceMicros(), await venue.account?.redeemableMicros?.()];
  expect(await money()).toEqual([cash, 10_108_695n]);
  tell({ do: 'redeem' });
  expect(await venue.account?.positions()).toEqual([]);
  expect(await money()).toEqual([cash + 10_108_695n, 0n]);
});

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

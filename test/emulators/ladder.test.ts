/** An order against a ladder, as every exchange that this project plays matches it. */
import { expect, test } from 'vitest';
import { takeOrder } from '../../src/emulators/kalshi/match-order.ts';
import { takeLevels } from '../../src/exchange/ladder.ts';
import { openKalshiMarket, TICKER } from './kalshi-venue.ts';

const level = (price: bigint, count: bigint) => ({ price: price * 10_000n, count: count * 1_000_000n });
const ASKS = [level(45n, 10n), level(46n, 100n), level(50n, 5n)];

test.each([
  ['takes levels up to its limit, best first', { limit: 46n, count: 500n }, [ASKS[0], ASKS[1]], [ASKS[2]]],
  [
    'takes the rest of its count from the last level',
    { limit: 50n, count: 12n },
    [ASKS[0], level(46n, 2n)],
    [level(46n, 98n), ASKS[2]],
  ],
  ['takes nothing below the best price', { limit: 44n, count: 5n }, [], ASKS],
  ['of nothing takes nothing', { limit: 50n, count: 0n }, [], ASKS],
])('a buy %s', (_, { limit, count }, taken, rest) => {
  const taker = { buys: true, limit: limit * 10_000n, count: count * 1_000_000n };
  expect(takeLevels(ASKS, taker)).toEqual({ taken, rest });
});

test('the levels of the other outcome are taken at their complements, and keep their own prices', () => {
  const bidsOfNo = [level(55n, 10n), level(54n, 100n)];
  const { taken, rest } = takeLevels(bidsOfNo, { buys: true, limit: 460_000n, count: 20_000_000n, mirrored: true });
  expect(taken).toEqual([level(45n, 10n), level(46n, 10n)]);
  expect(rest).toEqual([level(54n, 90n)]);
});

test('a sale takes bids down to its limit', () => {
  const bids = [level(40n, 10n), level(39n, 10n)];
  const { taken, rest } = takeLevels(bids, { buys: false, limit: 400_000n, count: 20_000_000n });
  expect([taken, rest]).toEqual([[bids[0]], [bids[1]]]);
});

test('an order that accepts less of a level leaves the rest of it, and goes on to the next', () => {
  const accept = (count: bigint, price: bigint) => (price === 450_000n ? 0n : count);
  const { taken, rest } = takeLevels(ASKS, { buys: true, limit: 460_000n, count: 4_000_000n, accept });
  expect([taken, rest]).toEqual([[level(46n, 4n)], [ASKS[0], level(46n, 96n), ASKS[2]]]);
});

test('an order that must fill completely and cannot takes nothing from the book', async () => {
  const { emulator, account, close } = await openKalshiMarket();
  const wanted = { ticker: TICKER, side: 'bid', yesPrice: 460_000n, timeInForce: 'fill_or_kill' } as const;
  const fill = (count: bigint) =>
    takeOrder(emulator.state, account, { ...wanted, count, clientOrderId: `${count}` }, new Date(), {
      next: () => `${count}`,
    });
  const asks = () => emulator.state.markets.get(TICKER)?.noBids;
  const before = asks();
  expect(fill(111_000_000n)).toMatchObject({ refusal: { code: 'fill_or_kill_insufficient_resting_volume' } });
  expect(asks()).toEqual(before);
  expect(fill(110_000_000n)).toMatchObject({ order: { status: 'executed' } });
  expect(asks()).toEqual([]);
  await close();
});

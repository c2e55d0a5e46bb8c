/** Books as ladders, what it costs to walk them, and what a venue is asked for: exact cases beside the properties. */

import { describe, expect, test } from 'vitest';
import { askLadder, bidLadder, type Level, min, walkQuantity, walkSpend } from '../../src/money/book.ts';
import { decideBuyQuote, refillBuy } from '../../src/money/buy.ts';
import { CENT } from '../../src/money/decimal.ts';
import { exitParts } from '../../src/money/exit.ts';
import { type LiveBuyTotals, liveBuyTotalsAfterEach, liveSellTotals } from '../../src/money/live.ts';
import { planLiveBuy, planLiveSell, takerFee } from '../../src/money/live-plan.ts';
import { refillSell } from '../../src/money/sell.ts';

const buyTotals = (...[fills, terms]: Parameters<typeof liveBuyTotalsAfterEach>) =>
  liveBuyTotalsAfterEach(fills, terms).at(-1) as LiveBuyTotals;

/** Cents a contract, and contracts. */
const level = (price: number, contracts: number): Level => ({
  priceMicros: BigInt(price) * 10_000n,
  quantityMicros: BigInt(contracts) * 1_000_000n,
});

describe('a ladder', () => {
  test('is best first, of both sides', () => {
    const bids = [level(40, 1), level(50, 2), level(45, 3), level(45, 4)];
    const asks = [level(70, 1), level(60, 2), level(65, 3)];
    expect(askLadder('YES', bids, asks)).toEqual([level(60, 2), level(65, 3), level(70, 1)]);
    expect(bidLadder('YES', bids, asks)).toEqual([level(50, 2), level(45, 3), level(45, 4), level(40, 1)]);
    expect(askLadder('NO', bids, asks)).toEqual([level(50, 2), level(55, 3), level(55, 4), level(60, 1)]);
    expect(bidLadder('NO', bids, asks)).toEqual([level(40, 2), level(35, 3), level(30, 1)]);
  });

  test('leaves out what is no level: nothing there, and prices outside 0 to 1', () => {
    const strange = [level(45, 0), level(46, -1), level(-1, 5), level(101, 5)];
    expect(bidLadder('YES', [level(50, 2), ...strange], [])).toEqual([level(50, 2)]);
    expect(askLadder('YES', [], [level(50, 2), ...strange])).toEqual([level(50, 2)]);
  });

  test('is not executable at 0 and at 1', () => {
    const ends = [level(0, 5), level(50, 2)];
    expect(bidLadder('YES', ends, [level(100, 5)])).toEqual([level(50, 2)]);
    expect(askLadder('NO', ends, [level(100, 5)])).toEqual([level(50, 2)]);
    expect(askLadder('YES', [level(0, 5)], [level(50, 2), level(100, 5)])).toEqual([level(50, 2)]);
    expect(bidLadder('NO', [level(0, 5)], [level(50, 2), level(100, 5)])).toEqual([level(50, 2)]);
  });

  test.each([
    ['crossed', [level(51, 1)], [level(50, 1)]],
    ['locked', [level(50, 1)], [level(50, 1)]],
    ['crossed by a bid of 1', [level(100, 1), level(40, 1)], [level(50, 1)]],
    ['crossed by an ask of 0', [level(40, 1)], [level(0, 1), level(50, 1)]],
  ])('is empty on both sides where the book is %s', (_, bids, asks) => {
    for (const side of ['YES', 'NO'] as const) {
      expect(askLadder(side, bids, asks)).toEqual([]);
      expect(bidLadder(side, bids, asks)).toEqual([]);
    }
  });

  test('is not crossed by what is no level', () => {
    expect(askLadder('YES', [level(60, 0), level(101, 1)], [level(50, 1), level(-1, 1)])).toEqual([level(50, 1)]);
    expect(askLadder('YES', [level(40, 1)], [level(50, 1), level(-1, 1)])).toEqual([level(50, 1)]);
    expect(bidLadder('YES', [level(40, 1), level(101, 1)], [level(50, 1)])).toEqual([level(40, 1)]);
  });
});

describe('a walk', () => {
  const asks = [level(50, 10), level(60, 10)];

  test('spends to the last cent of a level, and one cent more goes into the next', () => {
    const spent = (priceMicros: bigint, limitPriceMicros: bigint, levels: number) => {
      return { ok: true, priceMicros, limitPriceMicros, levels: asks.slice(0, levels) };
    };
    expect(walkSpend(asks, 500n)).toEqual(spent(500_000n, 500_000n, 1));
    expect(walkSpend(asks, 501n)).toEqual(spent(500_167n, 600_000n, 2));
    expect(walkSpend(asks, 1_100n)).toEqual(spent(550_000n, 600_000n, 2));
    expect(walkSpend(asks, 1_101n)).toEqual({ ok: false, depthMinor: 1_100n });
    expect(walkSpend([], 1n)).toEqual({ ok: false, depthMinor: 0n });
  });

  test('sells to the last contract of a level, and rounds down', () => {
    const bids = [level(50, 10), level(40, 20)];
    const sold = (priceMicros: bigint, limitPriceMicros: bigint, levels: number) => {
      return { ok: true, priceMicros, limitPriceMicros, levels: bids.slice(0, levels) };
    };
    expect(walkQuantity(bids, 10_000_000n)).toEqual(sold(500_000n, 500_000n, 1));
    expect(walkQuantity(bids, 10_000_001n)).toEqual(sold(499_999n, 400_000n, 2));
    expect(walkQuantity(bids, 30_000_000n)).toMatchObject({ ok: true, priceMicros: 433_333n });
    expect(walkQuantity(bids, 30_000_001n)).toEqual({ ok: false, depthMicros: 30_000_000n });
  });

  test('takes the smaller', () => {
    expect([min(1n, 2n), min(2n, 1n), min(3n, 3n)]).toEqual([1n, 1n, 3n]);
  });
});

describe('a quote on a thin book', () => {
  test('names the depth of whole cents, and no stake below the minimum of the venue', () => {
    const quote = (minimum: bigint) =>
      decideBuyQuote({
        stake: 10,
        feeBps: 0,
        side: 'YES',
        bids: [],
        asks: [level(50, 4)],
        venueMinimumMinor: minimum,
      });
    expect(quote(200n)).toEqual({ ok: false, code: 'stake_exceeds_available_depth', maxStakeMinor: 200n });
    expect(quote(201n)).toEqual({ ok: false, code: 'stake_exceeds_available_depth', maxStakeMinor: null });
  });

  test('below the minimum says what would pass', () => {
    const asks = [level(50, 1_000)];
    expect(decideBuyQuote({ stake: 1, feeBps: 200, side: 'YES', bids: [], asks })).toEqual({
      ok: false,
      code: 'below_venue_minimum',
      tradeMinor: 98n,
      minimumMinor: 100n,
      minStakeMinor: 103n,
    });
    expect(decideBuyQuote({ stake: 1.03, feeBps: 200, side: 'YES', bids: [], asks })).toMatchObject({ ok: true });
  });
});

describe('a quote walked again', () => {
  test('keeps its contracts at exactly its price', () => {
    // the contracts are the quote's own, also where they would round to another number now
    const terms = { tradeMinor: 1_000n, priceMicros: 500_000n, contractsMicros: 19_999_999n };
    expect(refillBuy(terms, [level(50, 100)], 0n)).toEqual({
      ok: true,
      priceMicros: 500_000n,
      contractsMicros: 19_999_999n,
    });
    const sell = { priceMicros: 500_000n, contractsMicros: 1_000_000n };
    expect(refillSell(sell, [level(50, 100)], 0n)).toMatchObject({ ok: true, priceMicros: 500_000n });
  });
});

describe('a live plan', () => {
  const steps = { stepMicros: 1_000_000n, minimumMicros: 1_000_000n, quotedPriceMicros: 500_000n };
  const buy = {
    ...steps,
    maxSlippageMicros: 0n,
    ladder: [level(50, 100)],
    tradeMinor: 1_000n,
    takerFee: () => 0n,
    boundsCost: false,
  };

  test('of a buy goes up to the accepted price, slippage included', () => {
    expect(planLiveBuy(buy)).toEqual({
      ok: true,
      limitPriceMicros: 500_000n,
      quantityMicros: 20_000_000n,
      averagePriceMicros: 500_000n,
      maxCostMicros: 10_000_000n,
    });
    const dearer = { ...buy, ladder: [level(51, 100)] };
    expect(planLiveBuy({ ...dearer, maxSlippageMicros: 10_000n })).toMatchObject({ ok: true });
    expect(planLiveBuy({ ...dearer, maxSlippageMicros: 9_999n })).toEqual({ ok: false, code: 'price_moved' });
    expect(planLiveBuy({ ...buy, ladder: [level(50, 1)] })).toEqual({ ok: false, code: 'price_moved' });
  });

  test('of a buy counts no level beyond its limit', () => {
    // the walk ends in the first level, whose depth alone may be asked for
    const ladder = [level(50, 20), level(60, 1_000)];
    expect(planLiveBuy({ ...buy, ladder })).toMatchObject({ quantityMicros: 20_000_000n, limitPriceMicros: 500_000n });
    expect(planLiveBuy({ ...buy, ladder, boundsCost: true })).toMatchObject({ quantityMicros: 20_000_000n });
  });

  test('of a buy spends the whole budget where it divides, fee included', () => {
    const fee = (price: bigint, quantity: bigint) => (price * quantity) / 4n;
    expect(planLiveBuy({ ...buy, takerFee: fee })).toMatchObject({ quantityMicros: 16_000_000n });
    expect(planLiveBuy({ ...buy, tradeMinor: 999n, takerFee: fee })).toMatchObject({ quantityMicros: 15_000_000n });
  });

  test('of a buy bounded in cost counts cheaper levels at their own price', () => {
    const ladder = [level(40, 10), level(60, 100)];
    const dear = { ...buy, ladder, quotedPriceMicros: 600_000n };
    expect(planLiveBuy(dear)).toMatchObject({ quantityMicros: 16_000_000n, limitPriceMicros: 600_000n });
    expect(planLiveBuy({ ...dear, boundsCost: true })).toMatchObject({ quantityMicros: 20_000_000n });
  });

  test('of a buy in dollars spends cents, and leaves room for the fee at the best price of the walk', () => {
    const variance = takerFee({ model: 'of_variance', bps: 700 });
    const ladder = [level(40, 10), level(60, 100)];
    const dear = { ...buy, ladder, quotedPriceMicros: 600_000n, takerFee: variance, takesDollars: true };
    const plan = planLiveBuy({ ...dear, stepMicros: 10_000n });
    // 9.59 dollars at 0.40 pay a fee of 0.4028, at 0.60 one of 0.2685
    expect(plan).toMatchObject({ spendMicros: 9_590_000n, quantityMicros: 15_980_000n, limitPriceMicros: 600_000n });
    expect(planLiveBuy({ ...dear, takerFee: () => 0n })).toMatchObject({ spendMicros: 10_000_000n });
    expect(planLiveBuy({ ...dear, minimumCostMinor: 960n })).toEqual({ ok: false, code: 'below_venue_minimum' });
    expect(planLiveBuy({ ...dear, minimumMicros: 16_000_000n })).toEqual({ ok: false, code: 'below_venue_minimum' });
  });

  test('is withdrawn below the least quantity and the least cost of the venue', () => {
    const refused = { ok: false, code: 'below_venue_minimum' };
    expect(planLiveBuy({ ...buy, minimumMicros: 20_000_000n })).toMatchObject({ ok: true });
    expect(planLiveBuy({ ...buy, minimumMicros: 20_000_001n })).toEqual(refused);
    expect(planLiveBuy({ ...buy, minimumCostMinor: 1_000n })).toMatchObject({ ok: true });
    expect(planLiveBuy({ ...buy, minimumCostMinor: 1_001n })).toEqual(refused);
    // nothing fits, and a venue without a minimum takes no order of nothing
    expect(planLiveBuy({ ...buy, tradeMinor: 49n, minimumMicros: 0n })).toEqual(refused);
    expect(planLiveBuy({ ...buy, tradeMinor: 1n, stepMicros: 1n, minimumMicros: 1n })).toMatchObject({ ok: true });
    const sell = { ...steps, maxSlippageMicros: 0n, ladder: [level(50, 100)], contractsMicros: 2_500_000n };
    expect(planLiveSell({ ...sell, minimumMicros: 2_000_000n })).toMatchObject({ quantityMicros: 2_000_000n });
    expect(planLiveSell({ ...sell, minimumMicros: 2_000_001n })).toEqual(refused);
    expect(planLiveSell({ ...sell, contractsMicros: 999_999n, minimumMicros: 0n })).toEqual(refused);
    expect(planLiveSell({ ...sell, contractsMicros: 1n, stepMicros: 1n, minimumMicros: 0n })).toMatchObject({
      ok: true,
    });
  });

  test('of a sell goes down to the accepted price, slippage included', () => {
    const sell = { ...steps, maxSlippageMicros: 10_000n, contractsMicros: 2_500_000n };
    expect(planLiveSell({ ...sell, ladder: [level(49, 100)] })).toEqual({
      ok: true,
      limitPriceMicros: 490_000n,
      quantityMicros: 2_000_000n,
      averagePriceMicros: 490_000n,
    });
    expect(planLiveSell({ ...sell, ladder: [{ priceMicros: 489_999n, quantityMicros: 9_000_000n }] })).toEqual({
      ok: false,
      code: 'price_moved',
    });
  });
});

describe('live totals', () => {
  const terms = { authorizationMinor: 1_000n, platformFeeMinor: 20n, tradeMinor: 980n };
  const fill = (priceMicros: bigint, quantityMicros: bigint, feeMicros: bigint | null) => ({
    priceMicros,
    quantityMicros,
    feeMicros,
  });

  test('of a buy round its cost up to the cent, then its fees, and ours with them', () => {
    // 5.70 and a micro-dollar, 0.02 and a micro-dollar
    const fills = [fill(570_000n, 10_000_000n, 20_001n), fill(1n, 1_000_000n, 0n)];
    expect(buyTotals(fills, terms)).toEqual({
      filledMicros: 11_000_000n,
      priceWeight: 5_700_001_000_000n,
      venueFeeKnown: true,
      tradeMinor: 571n,
      venueFeeMinor: 3n,
      platformFeeMinor: 12n,
      actualDebitMinor: 586n,
      releaseMinor: 414n,
      overrunMinor: 0n,
    });
  });

  test('of a buy count what was taken past the trade amount, cost and fee together', () => {
    const past = [fill(980_000n, 10_000_000n, 10_000n)];
    expect(buyTotals(past, terms)).toMatchObject({ tradeMinor: 980n, venueFeeMinor: 0n, overrunMinor: 1n });
    const dearer = [fill(990_000n, 10_000_000n, 10_000n)];
    expect(buyTotals(dearer, terms)).toMatchObject({ tradeMinor: 980n, venueFeeMinor: 0n, overrunMinor: 11n });
    const feePast = [fill(900_000n, 10_000_000n, 900_000n)];
    expect(buyTotals(feePast, terms)).toMatchObject({ tradeMinor: 900n, venueFeeMinor: 80n, overrunMinor: 10n });
  });

  test('of a sell round the notional down and the fee up, and count a fee past the notional', () => {
    const fills = [fill(500_001n, 10_000_000n, 20_001n)];
    expect(liveSellTotals(fills, 200)).toEqual({
      venueFeeKnown: true,
      notionalMinor: 500n,
      venueFeeMinor: 3n,
      platformFeeMinor: 10n,
      proceedsMinor: 487n,
      overrunMinor: 0n,
    });
    const eaten = [fill(500_000n, 10_000_000n, 5_070_000n)];
    expect(liveSellTotals(eaten, 200)).toMatchObject({ venueFeeMinor: 500n, proceedsMinor: 0n, overrunMinor: 7n });
    expect(liveSellTotals([fill(500_000n, 10_000_000n, null)], 200)).toMatchObject({
      venueFeeKnown: false,
      notionalMinor: 0n,
      venueFeeMinor: 0n,
      proceedsMinor: 0n,
    });
    const read = [fill(500_000n, 10_000_000n, null), fill(500_000n, 1_000_000n, 20_000n)];
    expect(liveSellTotals(read, 200)).toMatchObject({ venueFeeKnown: false, notionalMinor: 50n, proceedsMinor: 47n });
  });
});

describe('the parts of an exit', () => {
  const part = (proceedsMinor: bigint) => ({ proceedsMinor, platformFeeMinor: 0n, venueFeeMinor: 0n });
  const proceeds = (before: bigint, totals: readonly bigint[]) =>
    exitParts(part(before), totals.map(part)).map(({ proceedsMinor }) => proceedsMinor);

  test('are the differences of totals that rise', () => {
    expect(proceeds(0n, [10n, 10n, 25n])).toEqual([10n, 0n, 15n]);
    expect(proceeds(5n, [10n])).toEqual([5n]);
    expect(proceeds(0n, [])).toEqual([]);
  });

  test('take a cent that a later fill costs from the one before it, and never more than it had', () => {
    expect(proceeds(0n, [10n, 9n])).toEqual([9n, 0n]);
    expect(proceeds(0n, [10n, 9n, 12n, 11n])).toEqual([9n, 0n, 2n, 0n]);
    expect(proceeds(10n, [10n, 9n])).toEqual([0n, -1n]);
    expect(proceeds(10n, [12n, 8n, 9n])).toEqual([0n, 0n, -1n]);
    expect(proceeds(0n, [5n, 0n, 5n])).toEqual([0n, 0n, 5n]);
  });
});

test('a cent is ten thousand micro-dollars of a million micro-contracts', () => {
  expect(CENT).toBe(10_000n * 1_000_000n);
});

test('bids that meet other asks are another book, however often either was asked for', () => {
  const bids = [level(50, 2)];
  const [asks, crossing] = [[level(60, 1)], [level(45, 1)]];
  for (let turn = 0; turn < 2; turn += 1) {
    expect(bidLadder('YES', bids, asks)).toEqual([level(50, 2)]);
    expect(bidLadder('YES', bids, crossing)).toEqual([]);
    expect(askLadder('YES', bids, asks)).toEqual([level(60, 1)]);
  }
});

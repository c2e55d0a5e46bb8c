/** Live plans fit in the trade amount, and live totals never charge past it. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operatorExitMoney, operatorMoney } from '../../src/money/blocks.ts';
import { askLadder } from '../../src/money/book.ts';
import { CENT } from '../../src/money/decimal.ts';
import {
  type Fill,
  keepProceeds,
  type LiveBuyTotals,
  liveBuyTotalsAfterEach,
  liveSellTotals,
} from '../../src/money/live.ts';
import { planLiveBuy, planLiveSell, takerFee } from '../../src/money/live-plan.ts';
import { feeOf } from '../../src/money/usd.ts';
import { book, feeBps } from './arbitraries.ts';

const buyTotals = (...[fills, terms]: Parameters<typeof liveBuyTotalsAfterEach>) =>
  liveBuyTotalsAfterEach(fills, terms).at(-1) as LiveBuyTotals;

const fill = fc.record({
  priceMicros: fc.bigInt(1n, 999_999n),
  quantityMicros: fc.bigInt(1n, 100_000_000n),
  feeMicros: fc.bigInt(0n, 5_000_000n),
});

const costFee = (bps: number) => takerFee({ model: 'of_cost', bps });

describe('a live buy plan', () => {
  const plan = { quotedPriceMicros: 999_999n, maxSlippageMicros: 0n, stepMicros: 10_000n, minimumMicros: 10_000n };

  // contract 13.8
  test('asks for the largest quantity whose cost and fee fit, one step more does not', () => {
    let planned = 0;
    const run = fc.record({ book, tradeMinor: fc.bigInt(100n, 1_000_000n), bps: fc.integer({ min: 0, max: 700 }) });
    fc.assert(
      fc.property(run, ({ book, tradeMinor, bps }) => {
        const ladder = askLadder('YES', book.bids, book.asks);
        const made = planLiveBuy({ ...plan, ladder, tradeMinor, takerFee: costFee(bps), boundsCost: false });
        if (!made.ok) {
          return;
        }
        planned += 1;
        const total = (quantity: bigint) => {
          const cost = quantity * made.limitPriceMicros;
          return cost + (cost * BigInt(bps) + 9_999n) / 10_000n;
        };
        expect(made.quantityMicros % plan.stepMicros).toBe(0n);
        expect(total(made.quantityMicros)).toBeLessThanOrEqual(tradeMinor * CENT);
        const within = ladder.filter((level) => level.priceMicros <= made.limitPriceMicros);
        const depth = within.reduce((sum, level) => sum + level.quantityMicros, 0n);
        const more = made.quantityMicros + plan.stepMicros;
        if (more <= depth) {
          expect(total(more)).toBeGreaterThan(tradeMinor * CENT);
        }
        const bounded = planLiveBuy({ ...plan, ladder, tradeMinor, takerFee: costFee(bps), boundsCost: true });
        expect(bounded.ok && bounded.quantityMicros >= made.quantityMicros).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    expect(planned).toBeGreaterThan(50);
  });

  // contract 13.8
  test('leaves room for a fee that is rounded up for the whole order', () => {
    const feeStepMicros = 10_000n;
    let smaller = 0;
    const run = fc.record({ book, tradeMinor: fc.bigInt(100n, 100_000n), bps: fc.integer({ min: 1, max: 700 }) });
    fc.assert(
      fc.property(run, ({ book, tradeMinor, bps }) => {
        const ladder = askLadder('YES', book.bids, book.asks);
        const given = { ...plan, ladder, tradeMinor, takerFee: costFee(bps), boundsCost: false };
        const made = planLiveBuy({ ...given, feeStepMicros });
        if (!made.ok) {
          return;
        }
        // in micro-dollars: a contract is 1 000 000 micro-contracts
        const cost = made.quantityMicros * made.limitPriceMicros;
        const fee = (cost * BigInt(bps)) / 10_000n;
        const step = feeStepMicros * 1_000_000n;
        expect(cost + ((fee + step - 1n) / step) * step).toBeLessThanOrEqual(tradeMinor * CENT);
        const free = planLiveBuy(given);
        expect(free.ok && free.quantityMicros >= made.quantityMicros).toBe(true);
        smaller += free.ok && free.quantityMicros > made.quantityMicros ? 1 : 0;
      }),
      { numRuns: 500 },
    );
    expect(smaller).toBeGreaterThan(0);
  });

  // contract 13.7, contract 13.8
  test('is withdrawn when the average moved past the slippage, or when nothing fits', () => {
    const ladder = [{ priceMicros: 600_000n, quantityMicros: 1_000_000_000n }];
    const given = { ...plan, ladder, tradeMinor: 1_000n, takerFee: costFee(0), boundsCost: false };
    expect(planLiveBuy({ ...given, quotedPriceMicros: 590_000n, maxSlippageMicros: 9_999n })).toEqual({
      ok: false,
      code: 'price_moved',
    });
    expect(planLiveBuy({ ...given, stepMicros: 100_000_000n })).toEqual({ ok: false, code: 'below_venue_minimum' });
    expect(planLiveBuy(given)).toMatchObject({ ok: true, limitPriceMicros: 600_000n, quantityMicros: 16_660_000n });
  });
});

describe('a live sell plan', () => {
  const ladder = [{ priceMicros: 550_000n, quantityMicros: 1_000_000_000n }];
  const given = { ladder, contractsMicros: 17_192_982n, quotedPriceMicros: 550_000n, maxSlippageMicros: 0n };
  const steps = { stepMicros: 10_000n, minimumMicros: 1_000_000n };

  test('asks for whole steps at the cheapest level walked, and is withdrawn when the bids moved', () => {
    expect(planLiveSell({ ...given, ...steps })).toMatchObject({
      limitPriceMicros: 550_000n,
      quantityMicros: 17_190_000n,
    });
    expect(planLiveSell({ ...given, ...steps, quotedPriceMicros: 550_001n })).toMatchObject({ code: 'price_moved' });
    expect(planLiveSell({ ...given, ...steps, ladder: [] })).toMatchObject({ code: 'price_moved' });
    expect(planLiveSell({ ...given, ...steps, contractsMicros: 999_999n })).toMatchObject({
      code: 'below_venue_minimum',
    });
  });
});

describe('a taker fee', () => {
  test('is basis points of the cost, or of the variance of a contract', () => {
    expect(takerFee({ model: 'of_cost', bps: 100 })(500_000n, 1_000_000n)).toBe(5_000_000_000n);
    expect(takerFee({ model: 'of_variance', bps: 700 })(500_000n, 1_000_000n)).toBe(17_500_000_000n);
  });
});

describe('live totals', () => {
  // contract 13.9
  test('warn of what the venue took past the trade amount, not of a cent that two roundings make', () => {
    const terms = { authorizationMinor: 1_000n, platformFeeMinor: 20n, tradeMinor: 980n };
    // 9.795 of cost and 0.005 of fees: each rounds up, together they fit.
    const fits = { priceMicros: 979_500n, quantityMicros: 10_000_000n, feeMicros: 5_000n };
    expect(buyTotals([fits], terms)).toMatchObject({ actualDebitMinor: 1_000n, overrunMinor: 0n });
    const past = { ...fits, feeMicros: 25_000n };
    expect(buyTotals([past], terms)).toMatchObject({ actualDebitMinor: 1_000n, overrunMinor: 2n });
  });

  // contract 13.6, contract 13.9
  test('of a buy keep trade, fee and debit inside the authorization, and only grow', () => {
    const orders = fc.record({
      stakeMinor: fc.bigInt(2n, 100_000n),
      bps: feeBps,
      fills: fc.array(fill, { maxLength: 8 }),
    });
    fc.assert(
      fc.property(orders, ({ stakeMinor, bps, fills }) => {
        const platformFeeMinor = feeOf(stakeMinor, bps);
        const terms = { authorizationMinor: stakeMinor, platformFeeMinor, tradeMinor: stakeMinor - platformFeeMinor };
        let before = buyTotals([], terms);
        expect(before).toMatchObject({ actualDebitMinor: 0n, releaseMinor: stakeMinor });
        for (let count = 1; count <= fills.length; count += 1) {
          const now = buyTotals(fills.slice(0, count), terms);
          expect(now.releaseMinor).toBeGreaterThanOrEqual(0n);
          expect(now.actualDebitMinor).toBeGreaterThanOrEqual(before.actualDebitMinor);
          expect(now.overrunMinor).toBeGreaterThanOrEqual(0n);
          operatorMoney({ ...now, authorizationMinor: stakeMinor });
          before = now;
        }
      }),
      { numRuns: 500 },
    );
  });

  test('of a buy count the venue fees that are known, so that the debit only grows', () => {
    const terms = { authorizationMinor: 1_000n, platformFeeMinor: 20n, tradeMinor: 980n };
    const known = { priceMicros: 570_000n, quantityMicros: 1_000_000n, feeMicros: 20_000n };
    expect(buyTotals([known, { ...known, feeMicros: null }], terms)).toMatchObject({
      venueFeeKnown: false,
      venueFeeMinor: 2n,
      tradeMinor: 114n,
    });
    expect(buyTotals([known, known], terms)).toMatchObject({ venueFeeKnown: true, venueFeeMinor: 4n });
  });

  // contract 13.11
  test('of a sell never go below zero, however large the fee', () => {
    fc.assert(
      fc.property(fc.array(fill, { maxLength: 8 }), feeBps, (fills, bps) => {
        const totals = liveSellTotals(fills, bps);
        expect(totals.proceedsMinor).toBeGreaterThanOrEqual(0n);
        operatorExitMoney(totals);
      }),
    );
  });

  // contract 13.12
  test('the proceeds of a sell never fall, whatever a later fill costs, and its notional is divided whole', () => {
    fc.assert(
      fc.property(fc.array(fill, { minLength: 2, maxLength: 8 }), feeBps, (fills, bps) => {
        let before = liveSellTotals([], bps);
        for (let count = 1; count <= fills.length; count += 1) {
          const formula = liveSellTotals(fills.slice(0, count), bps);
          const now = keepProceeds(formula, before);
          expect(now.proceedsMinor).toBeGreaterThanOrEqual(before.proceedsMinor);
          expect(now.venueFeeMinor).toBeLessThanOrEqual(formula.venueFeeMinor);
          expect(now.overrunMinor - formula.overrunMinor).toBe(formula.venueFeeMinor - now.venueFeeMinor);
          expect(operatorExitMoney(now).sellProceeds).toBe((Number(now.proceedsMinor) / 100).toFixed(2));
          before = now;
        }
      }),
      { numRuns: 500 },
    );
  });

  // contract 13.11
  test('a fill that costs more than it brings is left out of our fee first, then paid by us', () => {
    const before = liveSellTotals([{ priceMicros: 500_000n, quantityMicros: 2_000_000n, feeMicros: 0n }], 300);
    expect(before).toMatchObject({ proceedsMinor: 97n, platformFeeMinor: 3n });
    const crumb = { priceMicros: 10_000n, quantityMicros: 1_000_000n, feeMicros: 10_000n };
    const fills = [{ priceMicros: 500_000n, quantityMicros: 2_000_000n, feeMicros: 0n }, crumb];
    expect(liveSellTotals(fills, 300)).toMatchObject({ proceedsMinor: 96n, platformFeeMinor: 4n, venueFeeMinor: 1n });
    expect(keepProceeds(liveSellTotals(fills, 300), before)).toMatchObject({
      proceedsMinor: 97n,
      platformFeeMinor: 3n,
      venueFeeMinor: 1n,
      overrunMinor: 0n,
    });
    const dear = [fills[0] as Fill, { ...crumb, feeMicros: 50_000n }];
    expect(keepProceeds(liveSellTotals(dear, 300), before)).toMatchObject({
      proceedsMinor: 97n,
      platformFeeMinor: 3n,
      venueFeeMinor: 1n,
      overrunMinor: 4n,
    });
  });
});

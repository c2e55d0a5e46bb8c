/** What holds for every buy, whatever the stake, the fee and the book. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operatorMoney, quoteMoney } from '../../src/money/blocks.ts';
import { askLadder } from '../../src/money/book.ts';
import { type BuyQuote, decideBuyQuote, readSlippage, readStake, refillBuy } from '../../src/money/buy.ts';
import { CENT } from '../../src/money/decimal.ts';
import { fillBuyPart, partialQuantity } from '../../src/money/partial.ts';
import { feeOf, formatMinor } from '../../src/money/usd.ts';
import { book, cents, feeBps, side } from './arbitraries.ts';

const input = fc.record({ stakeMinor: cents(5_000_000n), feeBps, side, book });
const quoteOf = (given: typeof input extends fc.Arbitrary<infer T> ? T : never, stakeMinor = given.stakeMinor) =>
  decideBuyQuote({ stake: formatMinor(stakeMinor), feeBps: given.feeBps, side: given.side, ...given.book });

/** Runs a property over the inputs that give a quote. */
function forEveryQuote(check: (quote: BuyQuote, given: Parameters<typeof quoteOf>[0]) => void): void {
  let quotes = 0;
  fc.assert(
    fc.property(input, (given) => {
      const quote = quoteOf(given);
      if (!quote.ok) {
        return;
      }
      quotes += 1;
      check(quote, given);
    }),
    { numRuns: 1_000 },
  );
  expect(quotes).toBeGreaterThan(50);
}

describe('a buy quote', () => {
  // contract 1.5, contract 1.6, contract 2.6, contract 2.9
  test('keeps its identities, and never promises more than the money buys', () => {
    forEveryQuote((quote) => {
      expect(quote.tradeMinor + quote.platformFeeMinor).toBe(quote.stakeMinor);
      expect(quote.contractsMicros * quote.priceMicros).toBeLessThanOrEqual(quote.tradeMinor * CENT);
      expect((quote.contractsMicros + 1n) * quote.priceMicros).toBeGreaterThan(quote.tradeMinor * CENT);
      expect(quote.payoutMinor).toBe(quote.contractsMicros / 10_000n);
      expect(quoteMoney(quote)).toMatchObject({ releaseAmount: '0.00', venueFeeKnown: false });
    });
  });

  // contract 2.8
  test('is priced at the weighted average of the asks that its money takes, rounded up once', () => {
    forEveryQuote(({ tradeMinor, priceMicros }, { side, book }) => {
      let left = tradeMinor * CENT;
      let whole = 0n;
      let last = 0n;
      for (const level of askLadder(side, book.bids, book.asks)) {
        last = level.priceMicros;
        if (last * level.quantityMicros >= left) {
          break;
        }
        left -= last * level.quantityMicros;
        whole += level.quantityMicros;
      }
      // the last level is taken in part: left / last of its contracts
      const contractsTimesLast = whole * last + left;
      expect(priceMicros).toBe((tradeMinor * CENT * last + contractsTimesLast - 1n) / contractsTimesLast);
    });
  });

  // contract 2.8
  test('never prices better than the best ask nor worse than the worst', () => {
    forEveryQuote((quote, { side, book }) => {
      const prices = askLadder(side, book.bids, book.asks).map((level) => level.priceMicros);
      expect(quote.priceMicros).toBeGreaterThanOrEqual(prices.at(0) ?? 0n);
      expect(quote.priceMicros).toBeLessThanOrEqual(prices.at(-1) ?? 0n);
    });
  });

  // contract 2.10
  test('names a largest stake that passes the depth, and one cent more does not', () => {
    let refused = 0;
    fc.assert(
      fc.property(input, (given) => {
        const quote = quoteOf(given);
        if (quote.ok || quote.code !== 'stake_exceeds_available_depth') {
          return;
        }
        refused += 1;
        // A book thinner than the venue's minimum takes no stake at all.
        if (quote.maxStakeMinor === null) {
          return;
        }
        expect(quoteOf(given, quote.maxStakeMinor).ok).toBe(true);
        const tradeOf = (stakeMinor: bigint) => stakeMinor - feeOf(stakeMinor, given.feeBps);
        if (tradeOf(quote.maxStakeMinor + 1n) < 100n) {
          return;
        }
        expect(quoteOf(given, quote.maxStakeMinor + 1n)).toEqual(quote);
      }),
      { numRuns: 1_000 },
    );
    expect(refused).toBeGreaterThan(50);
  });

  // contract 2.6
  test('charges a fee that never falls as the stake grows, and never a cent too much', () => {
    fc.assert(
      fc.property(cents(1_000_000_000n), feeBps, (stakeMinor, bps) => {
        const fee = feeOf(stakeMinor, bps);
        expect(feeOf(stakeMinor + 1n, bps)).toBeGreaterThanOrEqual(fee);
        expect(fee * 10_000n).toBeGreaterThanOrEqual(stakeMinor * BigInt(bps));
        expect(fee * 10_000n).toBeLessThan(stakeMinor * BigInt(bps) + 10_000n);
      }),
    );
  });

  test.each([0, -1, 0.004, 10_000_000.01, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    'refuses a stake of %s',
    (stake) => {
      expect(decideBuyQuote({ stake, feeBps: 0, side: 'YES', bids: [], asks: [] })).toEqual({
        ok: false,
        code: 'invalid_request',
      });
    },
  );

  // contract 2.2
  test('takes the shortest decimal text of a number, exponents included', () => {
    expect(readStake(1.005)).toBe(101n);
    expect(readStake(1e7)).toBe(1_000_000_000n);
    expect(readStake(5e-3)).toBe(1n);
    expect(readStake(0.1 + 0.2)).toBe(30n);
  });

  test('has no executable side on an empty, crossed or locked book', () => {
    const level = (priceMicros: bigint) => [{ priceMicros, quantityMicros: 1_000_000_000n }];
    const quote = (bid: bigint, ask: bigint) =>
      decideBuyQuote({ stake: 10, feeBps: 0, side: 'YES', bids: level(bid), asks: level(ask) });
    const refusal = { ok: false, code: 'line_not_available' };
    expect(quote(600_000n, 500_000n)).toEqual(refusal);
    expect(quote(500_000n, 500_000n)).toEqual(refusal);
    expect(quote(0n, 1_000_000n)).toEqual(refusal);
    expect(quote(0n, 500_000n).ok).toBe(true);
  });
});

// contract 2.10
test('a stake that would buy more contracts than can be kept is deeper than the book', () => {
  const asks = [{ priceMicros: 1n, quantityMicros: 10n ** 20n }];
  const quote = (stake: number) =>
    decideBuyQuote({ stake, feeBps: 0, side: 'YES', bids: [], asks, venueMinimumMinor: 100n });
  expect(quote(10_000_000)).toEqual({ ok: false, code: 'stake_exceeds_available_depth', maxStakeMinor: 900_000_000n });
  expect(quote(9_000_000)).toMatchObject({ ok: true, contractsMicros: 9_000_000_000_000_000_000n });
});

describe('a simulated fill', () => {
  const terms = { tradeMinor: 980n, priceMicros: 570_000n, contractsMicros: 17_192_982n };
  const at = (priceMicros: bigint) => [{ priceMicros, quantityMicros: 1_000_000_000n }];

  // contract 13.1, contract 13.2
  test('keeps the quoted price on a book no dearer, takes the new one within the slippage, else refuses', () => {
    expect(refillBuy(terms, at(560_000n), 0n)).toEqual({
      ok: true,
      priceMicros: 570_000n,
      contractsMicros: 17_192_982n,
    });
    expect(refillBuy(terms, at(580_000n), 10_000n)).toEqual({
      ok: true,
      priceMicros: 580_000n,
      contractsMicros: 16_896_551n,
    });
    expect(refillBuy(terms, at(580_001n), 10_000n)).toEqual({ ok: false, code: 'price_moved' });
    expect(refillBuy(terms, [], 50_000n)).toEqual({ ok: false, code: 'price_moved' });
  });

  // contract 10.9
  test('clamps the slippage to 0.05 and takes 0 to under 1', () => {
    expect([0, 0.01, 0.9, 1, -0.1, Number.NaN].map(readSlippage)).toEqual([0n, 10_000n, 50_000n, null, null, null]);
  });
});

describe('a part of a buy', () => {
  // contract 13.4
  test('never debits past the authorization, and the whole debits all of it', () => {
    forEveryQuote((quote) => {
      const terms = { ...quote, authorizationMinor: quote.stakeMinor };
      const whole = fillBuyPart(terms, quote.contractsMicros);
      expect(whole).toMatchObject({ actualDebitMinor: quote.stakeMinor, releaseMinor: 0n });
      expect(fillBuyPart(terms, 0n)).toMatchObject({ actualDebitMinor: 0n, releaseMinor: quote.stakeMinor });
    });
  });

  // contract 13.4
  test('only grows with what is filled, and its block keeps the identities', () => {
    const shares = fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 }));
    fc.assert(
      fc.property(input, shares, (given, [one, other]) => {
        const quote = quoteOf(given);
        if (!quote.ok) {
          return;
        }
        const terms = { ...quote, authorizationMinor: quote.stakeMinor };
        const part = (thousandths: number) => {
          const whole = { contractsMicros: quote.contractsMicros, wholeMinor: quote.stakeMinor };
          return fillBuyPart(terms, partialQuantity(whole, { fraction: thousandths / 1_000 }));
        };
        const [less, more] = [part(Math.min(one, other)), part(Math.max(one, other))];
        expect(less.actualDebitMinor).toBeLessThanOrEqual(more.actualDebitMinor);
        expect(less.platformFeeMinor).toBeLessThanOrEqual(more.platformFeeMinor);
        for (const each of [less, more]) {
          expect(each.releaseMinor).toBeGreaterThanOrEqual(0n);
          const block = operatorMoney({ ...each, authorizationMinor: quote.stakeMinor, venueFeeKnown: true });
          expect(block.actualDebit).toBe(formatMinor(each.actualDebitMinor));
        }
      }),
      { numRuns: 500 },
    );
  });

  // contract 32.10
  test('bounded by an amount takes at most a cent of trade and a cent of fee more', () => {
    fc.assert(
      fc.property(input, fc.bigInt(1n, 5_000_000n), (given, amountMinor) => {
        const quote = quoteOf(given);
        if (!quote.ok) {
          return;
        }
        const whole = { contractsMicros: quote.contractsMicros, wholeMinor: quote.stakeMinor };
        const filled = partialQuantity(whole, { amountMinor });
        const part = fillBuyPart({ ...quote, authorizationMinor: quote.stakeMinor }, filled);
        expect(part.actualDebitMinor).toBeLessThanOrEqual(amountMinor + 2n);
        expect(part.actualDebitMinor).toBeLessThanOrEqual(quote.stakeMinor);
      }),
      { numRuns: 500 },
    );
  });
});

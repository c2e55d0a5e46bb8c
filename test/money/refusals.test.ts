/** What the money rules refuse, at the last value that passes and the first that does not, and in which words. */
import { describe, expect, test } from 'vitest';
import {
  fillExitMoney,
  nothingBooked,
  operatorExitMoney,
  operatorMoney,
  settlementMoney,
} from '../../src/money/blocks.ts';
import { decideBuyQuote, leastTrade, readSlippage, readStake, smallestStake } from '../../src/money/buy.ts';
import { averagePrice, exitShare } from '../../src/money/exit.ts';
import { chargeBuy, fillBuyPart, partialQuantity } from '../../src/money/partial.ts';
import { payout, resolutionForSide } from '../../src/money/payout.ts';
import { chargeSell, fillSellPart, readContracts } from '../../src/money/sell.ts';
import { feeOf, feeRate } from '../../src/money/usd.ts';

const parts = {
  authorizationMinor: 1_000n,
  tradeMinor: 900n,
  platformFeeMinor: 60n,
  venueFeeMinor: 40n,
  venueFeeKnown: true,
};
const NEVER_MORE = 'a buy never takes more than its authorization';

describe('the block of a buy', () => {
  test('takes up to its authorization', () => {
    expect(operatorMoney(parts)).toEqual({
      currency: 'USD',
      authorizationAmount: '10.00',
      actualDebit: '10.00',
      releaseAmount: '0.00',
      tradeAmount: '9.00',
      platformFee: '0.60',
      venueFee: '0.40',
      venueFeeKnown: true,
    });
    expect(() => operatorMoney({ ...parts, authorizationMinor: 999n })).toThrow(NEVER_MORE);
  });

  test.each(['tradeMinor', 'platformFeeMinor', 'venueFeeMinor'])('has no %s below zero', (part) => {
    expect(() => operatorMoney({ ...parts, [part]: 0n })).not.toThrow();
    expect(() => operatorMoney({ ...parts, [part]: -1n })).toThrow(NEVER_MORE);
  });

  test('of nothing releases everything', () => {
    expect(nothingBooked(1_000n, false)).toEqual({
      currency: 'USD',
      authorizationAmount: '10.00',
      actualDebit: '0.00',
      releaseAmount: '10.00',
      tradeAmount: '0.00',
      platformFee: '0.00',
      venueFee: '0.00',
      venueFeeKnown: false,
    });
    expect(nothingBooked(0n, true).venueFeeKnown).toBe(true);
  });
});

describe('the block of an exit', () => {
  const exit = { notionalMinor: 500n, platformFeeMinor: 300n, venueFeeMinor: 200n, venueFeeKnown: true };

  test('credits down to nothing and never debits', () => {
    expect(operatorExitMoney(exit).sellProceeds).toBe('0.00');
    expect(() => operatorExitMoney({ ...exit, notionalMinor: 499n })).toThrow('an exit never debits');
    for (const part of ['platformFeeMinor', 'venueFeeMinor']) {
      expect(() => operatorExitMoney({ ...exit, [part]: 0n })).not.toThrow();
      expect(() => operatorExitMoney({ ...exit, [part]: -1n })).toThrow('an exit never debits');
    }
  });

  test('of nothing sold is zero', () => {
    const zero = { currency: 'USD', sellProceeds: '0.00', platformFee: '0.00', venueFee: '0.00' };
    const nothing = { notionalMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n };
    expect(operatorExitMoney({ ...nothing, venueFeeKnown: false })).toEqual({ ...zero, venueFeeKnown: false });
  });

  test('of one fill may take a cent of our fee back, and its fee is known', () => {
    expect(fillExitMoney({ proceedsMinor: 0n, platformFeeMinor: -1n, venueFeeMinor: 1n })).toEqual({
      currency: 'USD',
      sellProceeds: '0.00',
      platformFee: '-0.01',
      venueFee: '0.01',
      venueFeeKnown: true,
    });
  });
});

describe('the block of a settlement', () => {
  test.each([
    [0n, 0n],
    [1n, 0n],
    [0n, 1n],
  ])('credits %s or %s', (settlementCreditMinor, voidCreditMinor) => {
    expect(settlementMoney({ settlementCreditMinor, voidCreditMinor })).toMatchObject({ currency: 'USD' });
  });

  test.each([
    [1n, 1n],
    [-1n, 0n],
    [0n, -1n],
    [-1n, 1n],
    [-1n, -1n],
  ])('never %s and %s', (settlementCreditMinor, voidCreditMinor) => {
    expect(() => settlementMoney({ settlementCreditMinor, voidCreditMinor })).toThrow('one credit at most');
  });
});

describe('a buy', () => {
  test('takes a stake from a cent to ten million dollars', () => {
    expect([0.005, 0.01, 10_000_000].map(readStake)).toEqual([1n, 1n, 1_000_000_000n]);
    expect([0.0049, 10_000_000.01].map(readStake)).toEqual([null, null]);
  });

  test('has the smallest stake whose trade amount is enough', () => {
    expect(smallestStake(100n, 0)).toBe(100n);
    expect(smallestStake(100n, 5_000)).toBe(200n);
    // 102 less 3 of fee is 99; 103 less 3 is 100
    expect(smallestStake(100n, 200)).toBe(103n);
    for (const bps of [0, 1, 99, 200, 275, 5_000]) {
      for (const tradeMinor of [1n, 7n, 100n, 12_345n]) {
        const stake = smallestStake(tradeMinor, bps);
        expect(stake - feeOf(stake, bps)).toBeGreaterThanOrEqual(tradeMinor);
        expect(stake - 1n - feeOf(stake - 1n, bps)).toBeLessThan(tradeMinor);
      }
    }
  });

  test('trades at least a dollar where the venue states nothing, and never less than a cent', () => {
    expect([leastTrade(), leastTrade(2n), leastTrade(1n), leastTrade(0n), leastTrade(-5n)]).toEqual([
      100n,
      2n,
      1n,
      1n,
      1n,
    ]);
  });

  test('that is larger than the depth names the largest stake, unless that is below the minimum', () => {
    const quote = (quantityMicros: bigint, venueMinimumMinor: bigint) =>
      decideBuyQuote({
        stake: 10_000_000,
        feeBps: 5_000,
        side: 'YES',
        bids: [],
        asks: [{ priceMicros: 500_000n, quantityMicros }],
        venueMinimumMinor,
      });
    // a depth of 4,999,999.99 takes ten million less two cents; one of a dollar takes two dollars and a cent
    expect(quote(9_999_999_980_000n, 1n)).toMatchObject({ maxStakeMinor: 999_999_999n });
    expect(quote(2_000_000n, 100n)).toMatchObject({ maxStakeMinor: 201n });
    expect(quote(2_000_000n, 101n)).toMatchObject({ maxStakeMinor: null });
  });

  test('allows a slippage of up to five cents, rounded down', () => {
    expect([0.05, 0.050001, 0.0499999, 0.999999, '0.9999999', 1].map(readSlippage)).toEqual([
      50_000n,
      50_000n,
      49_999n,
      50_000n,
      50_000n,
      null,
    ]);
  });
});

describe('a part of a buy', () => {
  const terms = {
    authorizationMinor: 1_000n,
    platformFeeMinor: 20n,
    tradeMinor: 980n,
    priceMicros: 500_000n,
    contractsMicros: 19_600_000n,
  };

  test('lies inside the order', () => {
    expect(fillBuyPart(terms, 0n)).toMatchObject({ actualDebitMinor: 0n });
    expect(fillBuyPart(terms, 19_600_000n)).toMatchObject({ actualDebitMinor: 1_000n });
    for (const outside of [-1n, 19_600_001n]) {
      expect(() => fillBuyPart(terms, outside)).toThrow('fill outside the order');
    }
  });

  test('has a venue fee only where something was filled', () => {
    expect(fillBuyPart(terms, 10_000_000n, 7n)).toMatchObject({ venueFeeMinor: 7n, tradeMinor: 500n });
    expect(fillBuyPart(terms, 0n, 7n)).toMatchObject({ venueFeeMinor: 0n, actualDebitMinor: 0n });
  });

  test('takes no more than the trade amount, and no fee below zero', () => {
    expect(chargeBuy(terms, 1n, 900n, 80n).actualDebitMinor).toBe(1_000n);
    const words = 'more taken than the trade amount';
    expect(() => chargeBuy(terms, 1n, 900n, 81n)).toThrow(words);
    expect(() => chargeBuy(terms, 1n, 900n, -1n)).toThrow(words);
  });

  const whole = { contractsMicros: 10_000_000n, wholeMinor: 1_000n };

  test('by an amount goes from nothing to the whole', () => {
    const quantity = (amountMinor: bigint) => partialQuantity(whole, { amountMinor });
    expect([0n, 1n, 999n, 1_000n, 1_001n].map(quantity)).toEqual([0n, 10_000n, 9_990_000n, 10_000_000n, 10_000_000n]);
    expect(() => quantity(-1n)).toThrow('a fill amount is at least zero');
  });

  test('by a share lies strictly between nothing and the whole', () => {
    const quantity = (fraction: number | string) => partialQuantity(whole, { fraction });
    expect(['0.5', 0.25, '0.0000001', '0.9999999'].map(quantity)).toEqual([5_000_000n, 2_500_000n, 1n, 9_999_999n]);
    for (const fraction of [0, '0.0', 1, '1.00', 1.5, -0.5, Number.NaN, 'half']) {
      expect(() => quantity(fraction)).toThrow('a fill fraction is between 0 and 1');
    }
  });
});

describe('an exit', () => {
  const holding = { costBasisMinor: 100n, entryFeesMinor: 10n, quantityMicros: 4n, priceWeight: 8n };

  test('takes something, and no more than is held', () => {
    expect(exitShare(holding, 1n, 0n)).toMatchObject({ costShareMinor: 25n, status: 'open' });
    expect(exitShare(holding, 4n, 0n)).toMatchObject({ costShareMinor: 100n, status: 'closed' });
    for (const outside of [0n, -1n, 5n]) {
      expect(() => exitShare(holding, outside, 0n)).toThrow('exit outside the holding');
    }
  });

  test('has an average price rounded half up, and none of nothing', () => {
    expect([averagePrice(3n, 2n), averagePrice(5n, 4n), averagePrice(0n, 0n), averagePrice(9n, 0n)]).toEqual([
      2n,
      1n,
      0n,
      0n,
    ]);
  });

  test('is of a micro-contract to as many as a request may name', () => {
    expect(readContracts('0.000001')).toBe(1n);
    expect(readContracts('0.0000019')).toBeNull();
    expect(readContracts('0.0000009')).toBeNull();
    expect(readContracts('9000000000000')).toBe(9_000_000_000_000_000_000n);
    expect(readContracts('9000000000000.000001')).toBeNull();
  });

  test('has no quantity and no fee below zero', () => {
    const terms = { priceMicros: 500_000n, feeBps: 0 };
    expect(fillSellPart(terms, 0n).notionalMinor).toBe(0n);
    expect(() => fillSellPart(terms, -1n)).toThrow('fill below zero');
    expect(chargeSell(10n, 0, 0n).proceedsMinor).toBe(10n);
    expect(() => chargeSell(10n, 0, -1n)).toThrow('venue fee below zero');
  });
});

describe('a settlement', () => {
  const pay = (splitYesMicros: bigint) =>
    payout({ side: 'YES', quantityMicros: 1_000_000n, costBasisMinor: 50n }, { resolution: 'SPLIT', splitYesMicros });

  test('splits strictly between 0 and 1', () => {
    expect(pay(10_000n).voidCreditMinor).toBe(1n);
    expect(pay(999_999n).voidCreditMinor).toBe(99n);
    for (const outside of [0n, -1n, 1_000_000n, 1_000_001n]) {
      expect(() => pay(outside)).toThrow('a split is between 0 and 1');
    }
  });

  test('of one side gives the result of the contract', () => {
    const said = (side: 'YES' | 'NO', wanted: 'WIN' | 'LOSS' | 'VOID') => resolutionForSide(side, wanted).resolution;
    expect([said('YES', 'WIN'), said('YES', 'LOSS'), said('NO', 'WIN'), said('NO', 'LOSS')]).toEqual([
      'YES',
      'NO',
      'NO',
      'YES',
    ]);
    expect([said('YES', 'VOID'), said('NO', 'VOID')]).toEqual(['VOID', 'VOID']);
  });
});

describe('dollars', () => {
  test('carry a fee of whole basis points from 0 to 5000', () => {
    for (const bad of [-1, 5_001, 0.5]) {
      expect(() => feeRate(bad)).toThrow('fee is 0 to 5000 basis points');
    }
  });
});

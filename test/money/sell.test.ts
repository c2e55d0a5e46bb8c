/** What holds for every exit and every settlement. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operatorExitMoney, settlementMoney } from '../../src/money/blocks.ts';
import { averagePrice, exitShare, type Holding } from '../../src/money/exit.ts';
import { payout, resolutionForSide } from '../../src/money/payout.ts';
import { decideSell, fillSellPart, refillSell } from '../../src/money/sell.ts';
import { formatMinor } from '../../src/money/usd.ts';
import { book, feeBps, side } from './arbitraries.ts';

describe('a sell', () => {
  // contract 14.3
  test('credits the notional less the fee, always above zero', () => {
    let sold = 0;
    fc.assert(
      fc.property(fc.bigInt(1n, 500_000_000n), feeBps, side, book, (quantity, bps, which, levels) => {
        const sell = decideSell({ contracts: `${quantity}e-6`, feeBps: bps, side: which, ...levels });
        if (!sell.ok) {
          return;
        }
        sold += 1;
        expect(sell.contractsMicros).toBe(quantity);
        expect(sell.proceedsMinor).toBeGreaterThan(0n);
        expect(sell.proceedsMinor + sell.platformFeeMinor).toBe(sell.notionalMinor);
        expect(operatorExitMoney({ ...sell, venueFeeKnown: false }).sellProceeds).toBe(formatMinor(sell.proceedsMinor));
      }),
      { numRuns: 1_000 },
    );
    expect(sold).toBeGreaterThan(50);
  });

  // contract 1.7
  test('never debits, whatever the venue takes', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10_000_000n), feeBps, fc.bigInt(0n, 1_000n), (quantity, bps, venueFee) => {
        const money = fillSellPart({ priceMicros: 123_456n, feeBps: bps }, quantity, venueFee);
        expect(money.proceedsMinor).toBeGreaterThanOrEqual(0n);
        expect(money.proceedsMinor + money.platformFeeMinor + money.venueFeeMinor).toBe(money.notionalMinor);
      }),
    );
  });

  // contract 2.11
  test('deeper than the bids is refused, and so is one without bids', () => {
    const one = { priceMicros: 550_000n, quantityMicros: 1_000_000n };
    const sell = (contracts: number | string, bids = [one]) =>
      decideSell({ contracts, feeBps: 0, side: 'YES', bids, asks: [] });
    expect(sell(1.000001)).toEqual({ ok: false, code: 'stake_exceeds_available_depth' });
    expect(sell(1).ok).toBe(true);
    expect(sell(1, [])).toEqual({ ok: false, code: 'line_not_available' });
    expect(sell(1e-7)).toEqual({ ok: false, code: 'invalid_request' });
    expect(sell(1.1234567), 'more than six places are refused and not cut').toEqual({
      ok: false,
      code: 'invalid_request',
    });
    expect(sell('0.5000000').ok).toBe(true);
    expect(sell('Infinity')).toEqual({ ok: false, code: 'invalid_request' });
  });

  // contract 10.9
  test('fills at the quoted price on bids no cheaper, within the slippage at the new one, else not', () => {
    const terms = { priceMicros: 550_000n, contractsMicros: 1_000_000n };
    const at = (priceMicros: bigint) => [{ priceMicros, quantityMicros: 1_000_000n }];
    expect(refillSell(terms, at(560_000n), 0n)).toMatchObject({ ok: true, priceMicros: 550_000n });
    expect(refillSell(terms, at(540_000n), 10_000n)).toMatchObject({ ok: true, priceMicros: 540_000n });
    expect(refillSell(terms, at(539_999n), 10_000n)).toEqual({ ok: false, code: 'price_moved' });
  });
});

describe('exits of a position', () => {
  // contract 15.5
  test('take exactly the whole cost and the whole fees, in whatever pieces', () => {
    const pieces = fc.array(fc.bigInt(1n, 50_000_000n), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.bigInt(0n, 1_000_000n), fc.bigInt(0n, 10_000n), (exits, cost, fees) => {
        const quantityMicros = exits.reduce((sum, exit) => sum + exit, 0n);
        const start: Holding = {
          costBasisMinor: cost + fees,
          entryFeesMinor: fees,
          quantityMicros,
          priceWeight: quantityMicros * 570_000n,
        };
        let held = start;
        let [costs, feeShares, pnl] = [0n, 0n, 0n];
        for (const exit of exits) {
          expect(averagePrice(held.priceWeight, held.quantityMicros)).toBe(570_000n);
          const share = exitShare(held, exit, 7n);
          costs += share.costShareMinor;
          feeShares += share.feeShareMinor;
          pnl += share.realisedPnlMinor;
          held = share.remaining;
          expect(share.status).toBe(held.quantityMicros === 0n ? 'closed' : 'open');
        }
        expect([costs, feeShares, pnl]).toEqual([cost + fees, fees, BigInt(exits.length) * 7n - cost - fees]);
        expect(held).toEqual({ costBasisMinor: 0n, entryFeesMinor: 0n, quantityMicros: 0n, priceWeight: 0n });
        expect(() => exitShare(held, 1n, 0n)).toThrow(RangeError);
      }),
    );
  });
});

describe('a settlement', () => {
  const held = (which: 'YES' | 'NO', quantityMicros: bigint) => ({ side: which, quantityMicros, costBasisMinor: 10n });

  // contract 1.10
  test('pays both sides together at most one dollar a contract, split or not', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), fc.bigInt(1n, 999_999n), (quantity, splitYesMicros) => {
        for (const resolved of [{ resolution: 'SPLIT', splitYesMicros }, { resolution: 'YES' }] as const) {
          const paid = (['YES', 'NO'] as const).map((which) => payout(held(which, quantity), resolved));
          const total = paid.reduce((sum, each) => sum + each.settlementCreditMinor + each.voidCreditMinor, 0n);
          expect(total).toBeLessThanOrEqual(quantity / 10_000n);
          expect(total).toBeGreaterThanOrEqual(quantity / 10_000n - 1n);
          for (const each of paid) {
            settlementMoney(each);
          }
        }
      }),
    );
  });

  // contract 2.12, contract 16.2, contract 16.3
  test('of a loss credits nothing, of a void gives the cost back, and a credit may round to nothing', () => {
    expect(payout(held('NO', 1_000_000n), { resolution: 'YES' })).toEqual({
      outcome: 'lost',
      settlementCreditMinor: 0n,
      voidCreditMinor: 0n,
      realisedPnlMinor: -10n,
    });
    expect(payout(held('NO', 1n), resolutionForSide('NO', 'VOID'))).toMatchObject({
      outcome: 'void',
      voidCreditMinor: 10n,
    });
    expect(payout(held('NO', 9_999n), resolutionForSide('NO', 'WIN'))).toMatchObject({
      outcome: 'won',
      settlementCreditMinor: 0n,
    });
    expect(payout(held('NO', 1n), resolutionForSide('NO', 'LOSS')).outcome).toBe('lost');
  });
});

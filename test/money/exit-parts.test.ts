/** The money of a sell's fills: whatever the fees are, the parts add up, and none is below zero while the whole is not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillExitMoney, operatorExitMoney } from '../../src/money/blocks.ts';
import { type ExitPart, exitParts } from '../../src/money/exit.ts';
import { liveSellTotals } from '../../src/money/live.ts';
import { feeBps } from './arbitraries.ts';

/** A venue that rounds the fee of each fill up to the cent, one that does not, and one that charges what it likes. */
const fill = fc
  .record({
    priceMicros: fc.bigInt(1n, 999_999n),
    quantityMicros: fc.oneof(fc.bigInt(1n, 20_000n), fc.bigInt(1n, 3_000_000n)),
    feeBps: fc.bigInt(0n, 1_000n),
    rounds: fc.boolean(),
    more: fc.oneof(fc.constant(0n), fc.bigInt(0n, 50_000n)),
  })
  .map(({ priceMicros, quantityMicros, feeBps, rounds, more }) => {
    const exact = (priceMicros * quantityMicros * feeBps) / 10_000_000_000n;
    return {
      priceMicros,
      quantityMicros,
      feeMicros: (rounds ? ((exact + 9_999n) / 10_000n) * 10_000n : exact) + more,
    };
  });

const cents = (text: string) => BigInt(text.replace('.', ''));

// contract 1.7, contract 21.10
test('the parts of a sell of many fills add up to the order, and each keeps its identity', () => {
  let lowered = 0;
  fc.assert(
    fc.property(fc.array(fill, { minLength: 1, maxLength: 40 }), feeBps, fc.nat(), (fills, bps, cut) => {
      const totals = fills.map((_, index): ExitPart => liveSellTotals(fills.slice(0, index + 1), bps));
      const booked = cut % fills.length;
      const none: ExitPart = { proceedsMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n };
      const before = totals[booked - 1] ?? none;
      const parts = [...exitParts(none, totals.slice(0, booked)), ...exitParts(before, totals.slice(booked))];
      expect(parts).toHaveLength(fills.length);
      const whole = liveSellTotals(fills, bps);
      const sum = (amount: (part: ExitPart) => bigint) => parts.reduce((total, part) => total + amount(part), 0n);
      expect(sum((part) => part.proceedsMinor)).toBe(whole.proceedsMinor);
      expect(sum((part) => part.platformFeeMinor)).toBe(whole.platformFeeMinor);
      expect(sum((part) => part.venueFeeMinor)).toBe(whole.venueFeeMinor);
      for (const part of parts) {
        const block = fillExitMoney(part);
        const { proceedsMinor, platformFeeMinor, venueFeeMinor } = part;
        const notional = proceedsMinor + platformFeeMinor + venueFeeMinor;
        expect(cents(block.sellProceeds)).toBe(notional - cents(block.platformFee) - cents(block.venueFee));
      }
      const last = parts.length - 1;
      for (const key of ['proceedsMinor', 'platformFeeMinor', 'venueFeeMinor'] as const) {
        // only what ends a recording may fall, and only if all of it falls
        for (const [index, part] of parts.entries()) {
          if (part[key] < 0n) {
            lowered += 1;
            expect([booked - 1, last]).toContain(index);
            const all = index === last ? (totals[last]?.[key] ?? 0n) - before[key] : before[key];
            expect(all).toBe(part[key]);
          }
        }
      }
      expect(() =>
        operatorExitMoney({
          notionalMinor: whole.notionalMinor,
          platformFeeMinor: whole.platformFeeMinor,
          venueFeeMinor: whole.venueFeeMinor,
          venueFeeKnown: true,
        }),
      ).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
  expect(lowered).toBeGreaterThan(0);
});

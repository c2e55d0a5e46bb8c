/** Figures that the frame computes by itself before a quote. */
import { describe, expect, test } from 'vitest';
import { payoutOf, percentOf } from '../../src/frame/trading/estimate.ts';

describe('estimates', () => {
  test.each([
    [-148n, 2500n, -6],
    [-112n, 1876n, -6],
    [-5n, 1000n, -1],
    [-4n, 1000n, 0],
    [5n, 1000n, 1],
    [719n, 1000n, 72],
    [-1000n, 1000n, -100],
    [1n, 0n, 0],
  ])('%d of %d is %d percent: a half is rounded away from zero', (part, whole, percent) => {
    expect(percentOf(part, whole) + 0).toBe(percent);
  });

  test('a payout is whole cents and never more than the contracts pay', () => {
    expect(payoutOf(34.385964)).toBe(3438n);
    expect(payoutOf(0.29)).toBe(29n);
  });
});

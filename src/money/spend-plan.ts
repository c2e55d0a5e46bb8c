/**
 * What a buy may spend at a venue that takes dollars and charges its fee on top. At a better price the same dollars buy more
 * contracts, whose fee may be higher; so the fee is counted at the price of the walk where it is highest. Pure.
 */
import { ceilDivide } from './decimal.ts';
import { CENT, MICROS_PER_CENT, ONE_DOLLAR_MICROS } from './units.ts';

/** @returns the largest whole cents that fit in `tradeMinor` together with their fee at each of these prices. */
export function spendThatFits(
  prices: readonly bigint[],
  tradeMinor: bigint,
  fee: (priceMicros: bigint, quantityMicros: bigint) => bigint,
): bigint {
  const fits = (cents: bigint) =>
    prices.every((price) => {
      const quantityMicros = ceilDivide(cents * MICROS_PER_CENT * ONE_DOLLAR_MICROS, price);
      return cents * CENT + fee(price, quantityMicros) <= tradeMinor * CENT;
    });
  let low = 0n;
  let high = tradeMinor;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1n;
    }
  }
  return low;
}

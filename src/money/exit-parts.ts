/**
 * The money of a sell's fills, one by one, out of the running totals of the order (contract 13.11, contract 21.10). Totals of a
 * single amount may fall: a fill too small for a cent of notional can still cost a cent of fee. Such a cent is taken from the
 * neighbouring fills that are recorded with it, so that no part is below zero unless all of them together are.
 */

/** Cents. The notional of a fill is the sum of the three. */
export interface ExitPart {
  readonly proceedsMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
}

/**
 * @param before totals before the first of these fills, as they were recorded.
 * @param totals totals after each of the fills, in their order.
 * @returns a part for each fill; together they are the last total less `before`.
 */
export function exitParts(before: ExitPart, totals: readonly ExitPart[]): ExitPart[] {
  const proceeds = risingParts(
    before.proceedsMinor,
    totals.map((total) => total.proceedsMinor),
  );
  const platform = risingParts(
    before.platformFeeMinor,
    totals.map((total) => total.platformFeeMinor),
  );
  const venue = risingParts(
    before.venueFeeMinor,
    totals.map((total) => total.venueFeeMinor),
  );
  return totals.map((_, index) => ({
    proceedsMinor: proceeds[index] ?? 0n,
    platformFeeMinor: platform[index] ?? 0n,
    venueFeeMinor: venue[index] ?? 0n,
  }));
}

/** Differences of totals that were lowered to what the later ones leave, and never below `before`, except for the last. */
function risingParts(before: bigint, totals: readonly bigint[]): bigint[] {
  const parts: bigint[] = [];
  let after = totals.at(-1) ?? before;
  let lowest = after;
  for (let index = totals.length - 2; index >= 0; index -= 1) {
    lowest = smaller(lowest, totals[index] ?? lowest);
    const total = lowest > before ? lowest : before;
    parts.unshift(after - total);
    after = total;
  }
  parts.unshift(after - before);
  return totals.length === 0 ? [] : parts;
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

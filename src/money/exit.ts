/**
 * The money of an exit: its share of the position's cost, entry fees and price weight, and the part of each of its fills.
 * It refuses to take more than is held; the last exit takes every remaining cent (contract 15.5).
 */

export interface Holding {
  /** Cash spent on the contracts still held, fees included, in cents. */
  readonly costBasisMinor: bigint;
  /** The part of that cash that was fees, in cents. */
  readonly entryFeesMinor: bigint;
  readonly quantityMicros: bigint;
  /** Sum of fill price times fill quantity (1e-12 dollars) over the contracts still held: prices only, for `averagePrice`. */
  readonly priceWeight: bigint;
}

export interface ExitShare {
  readonly costShareMinor: bigint;
  readonly feeShareMinor: bigint;
  readonly realisedPnlMinor: bigint;
  readonly remaining: Holding;
  readonly status: 'open' | 'closed';
}

/**
 * The shares of an exit of `exitMicros` with proceeds of `proceedsMinor` cents, and the holding that remains.
 * @throws RangeError if the exit is larger than the holding
 */
export function exitShare(holding: Holding, exitMicros: bigint, proceedsMinor: bigint): ExitShare {
  const { costBasisMinor, entryFeesMinor, quantityMicros, priceWeight } = holding;
  if (exitMicros <= 0n || exitMicros > quantityMicros) {
    throw new RangeError('exit outside the holding');
  }
  const share = (whole: bigint): bigint => (whole * exitMicros) / quantityMicros;
  const costShareMinor = share(costBasisMinor);
  const feeShareMinor = share(entryFeesMinor);
  const left = quantityMicros - exitMicros;
  return {
    costShareMinor,
    feeShareMinor,
    realisedPnlMinor: proceedsMinor - costShareMinor,
    remaining: {
      costBasisMinor: costBasisMinor - costShareMinor,
      entryFeesMinor: entryFeesMinor - feeShareMinor,
      quantityMicros: left,
      priceWeight: (priceWeight * left) / quantityMicros,
    },
    status: left === 0n ? 'closed' : 'open',
  };
}

/** Volume-weighted price in micro-dollars, rounded half up; zero if nothing is held. For display only. */
export function averagePrice(priceWeight: bigint, quantityMicros: bigint): bigint {
  return quantityMicros === 0n ? 0n : (priceWeight * 2n + quantityMicros) / (quantityMicros * 2n);
}

/** The money of a fill in cents. Its notional is the sum of the three. */
export interface ExitPart {
  readonly proceedsMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
}

/**
 * Splits the running totals of a sell into the money of each fill (contract 13.11, contract 21.10). A total of one amount
 * may fall: a fill too small for a cent of notional can still cost a cent of fee. Such a cent is taken from the
 * neighbouring fills that are recorded with it, so that no part is below zero unless all of them together are.
 * @param before totals before the first of these fills, as they were recorded
 * @param totals totals after each of the fills, in their order
 * @returns one part per fill; their sum is the last total less `before`
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

/**
 * Splits a running total into one part per fill. Each earlier total is first lowered to the smallest later one, but not
 * below `before`, so only the last part can be negative.
 */
function risingParts(before: bigint, totals: readonly bigint[]): bigint[] {
  const parts: bigint[] = [];
  let after = totals.at(-1) ?? before;
  let lowest = after;
  for (let index = totals.length - 2; index >= 0; index -= 1) {
    lowest = smaller(lowest, totals[index] ?? lowest);
    const total = lowest > before ? lowest : before;
    parts.push(after - total);
    after = total;
  }
  parts.push(after - before);
  return totals.length === 0 ? [] : parts.reverse();
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

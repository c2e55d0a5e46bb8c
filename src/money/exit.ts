/**
 * What an exit takes out of a position: its share of the cost, of the entry fees and of the price weight.
 * Refuses to take more than is held; the last exit takes every cent that is left (contract 15.5).
 */

export interface Holding {
  /** Cash spent on what is still held, fees included, in cents. */
  readonly costBasisMinor: bigint;
  /** The part of that cash that was fees, in cents. */
  readonly entryFeesMinor: bigint;
  readonly quantityMicros: bigint;
  /** Sum of fill price times fill quantity (1e-12 dollars) of what is held: prices only, for `averagePrice`. */
  readonly priceWeight: bigint;
}

export interface ExitShare {
  readonly costShareMinor: bigint;
  readonly feeShareMinor: bigint;
  readonly realisedPnlMinor: bigint;
  readonly remaining: Holding;
  readonly status: 'open' | 'closed';
}

/** The shares of an exit of `exitMicros` that brought `proceedsMinor`, and what stays held. @throws RangeError beyond the holding. */
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

/** Volume-weighted price in micro-dollars, rounded half up; zero if nothing is held. For showing only. */
export function averagePrice(priceWeight: bigint, quantityMicros: bigint): bigint {
  return quantityMicros === 0n ? 0n : (priceWeight * 2n + quantityMicros) / (quantityMicros * 2n);
}

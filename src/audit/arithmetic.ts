/**
 * The auditor's own arithmetic, from the specification: what a quote authorizes, what fills cost and bring, the share of a position that an
 * exit takes, and what a resolution pays. Amounts are cents, prices micro-dollars, quantities micro-contracts, weights the product of price
 * and quantity (1e-12 dollars). It shares no code with the code that charges and pays. Pure.
 */

/** 1e-12 dollars per cent. */
const CENT = 10_000_000_000n;
const MICROS_PER_CENT = 10_000n;
const DOLLAR_MICROS = 1_000_000n;

export const up = (value: bigint, by: bigint): bigint => (value > 0n ? (value + by - 1n) / by : 0n);
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The fee on an amount at a rate, rounded up. */
export const feeAt = (amount: bigint, bps: number): bigint => up(amount * BigInt(bps), 10_000n);

/** The contracts that an amount buys at a price, rounded down. */
export const contractsFor = (tradeMinor: bigint, priceMicros: bigint): bigint =>
  priceMicros > 0n ? (tradeMinor * CENT) / priceMicros : 0n;

/** The proceeds of contracts at a price, rounded down to the cent. */
export const notionalOf = (weight: bigint): bigint => weight / CENT;

/** The money of the fills of one order. */
export interface Charge {
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
}

interface Filled {
  readonly quantityMicros: bigint;
  readonly priceMicros: bigint;
  readonly feeMicros: bigint | null;
}

const weightOf = (fills: readonly Filled[]) =>
  fills.reduce((sum, fill) => sum + fill.quantityMicros * fill.priceMicros, 0n);
const feesOf = (fills: readonly Filled[]) => fills.reduce((sum, fill) => sum + (fill.feeMicros ?? 0n), 0n);

export const sumOf = (fills: readonly Filled[]) => ({
  quantityMicros: fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n),
  weight: weightOf(fills),
});

interface BuyTerms {
  readonly quotedTradeMinor: bigint;
  readonly quotedFeeMinor: bigint;
}

/** The charge of a buy: cost and venue fee, each rounded up to the cent and within the trade amount, and their share of our fee. */
export const chargeOfBuy = (terms: BuyTerms, fills: readonly Filled[]): Charge =>
  buyCharge(terms, weightOf(fills), feesOf(fills));

/** The charge after no fill, after the first fill, and so on. */
export function chargesOfBuy(terms: BuyTerms, fills: readonly Filled[]): Charge[] {
  let [weight, fees] = [0n, 0n];
  const charges = [buyCharge(terms, weight, fees)];
  for (const fill of fills) {
    weight += fill.quantityMicros * fill.priceMicros;
    fees += fill.feeMicros ?? 0n;
    charges.push(buyCharge(terms, weight, fees));
  }
  return charges;
}

function buyCharge(terms: BuyTerms, weight: bigint, feesMicros: bigint): Charge {
  const tradeMinor = smaller(terms.quotedTradeMinor, up(weight, CENT));
  const venueFeeMinor = smaller(up(feesMicros, MICROS_PER_CENT), terms.quotedTradeMinor - tradeMinor);
  const share =
    terms.quotedTradeMinor === 0n
      ? 0n
      : up(terms.quotedFeeMinor * (tradeMinor + venueFeeMinor), terms.quotedTradeMinor);
  return { tradeMinor, venueFeeMinor, platformFeeMinor: smaller(terms.quotedFeeMinor, share) };
}

/**
 * The charge of a sell, counting the fills whose fee is known: the venue's fee is taken from the proceeds, ours from the rest. Reported
 * proceeds never fall: an amount that would lower them reduces our fee first, and then the venue's.
 */
export function chargeOfSell(feeBps: number, fills: readonly Filled[], before: Charge): Charge {
  const known = fills.filter((fill) => fill.feeMicros !== null);
  const tradeMinor = notionalOf(weightOf(known));
  const venueFeeMinor = smaller(up(feesOf(known), MICROS_PER_CENT), tradeMinor);
  const platformFeeMinor = smaller(feeAt(tradeMinor, feeBps), tradeMinor - venueFeeMinor);
  const reported = before.tradeMinor - before.platformFeeMinor - before.venueFeeMinor;
  if (tradeMinor - venueFeeMinor - platformFeeMinor >= reported) {
    return { tradeMinor, venueFeeMinor, platformFeeMinor };
  }
  const venue = smaller(venueFeeMinor, tradeMinor - reported - before.platformFeeMinor);
  return { tradeMinor, venueFeeMinor: venue, platformFeeMinor: tradeMinor - reported - venue };
}

/** The amount that a venue took beyond the customer's charge (positive), or paid for more contracts than were sold (negative). */
export function overrunOf(action: string, fills: readonly Filled[], charge: Charge, gainedMinor: bigint): bigint {
  const weight = weightOf(fills);
  const fees = feesOf(fills) * DOLLAR_MICROS;
  if (action === 'buy') {
    return larger(0n, up(weight + fees, CENT) - charge.tradeMinor - charge.venueFeeMinor);
  }
  const due = smaller(up(fees, CENT), notionalOf(weight));
  return larger(0n, up(fees - weight, CENT)) + due - charge.venueFeeMinor - gainedMinor;
}

interface Held {
  readonly quantityMicros: bigint;
  readonly costBasisMinor: bigint;
  readonly entryFeesMinor: bigint;
  readonly priceWeight: bigint;
}

/** The share of an exit in a position's cost and entry fees, rounded down, and the weight of prices that remains. */
export function shareOf({ quantityMicros, costBasisMinor, entryFeesMinor, priceWeight }: Held, exited: bigint) {
  const left = quantityMicros - exited;
  return {
    costMinor: (costBasisMinor * exited) / quantityMicros,
    feesMinor: (entryFeesMinor * exited) / quantityMicros,
    weightLeft: (priceWeight * left) / quantityMicros,
  };
}

/** The average price of contracts, rounded half up, without fees. */
export const averageOf = (weight: bigint, quantityMicros: bigint): bigint =>
  quantityMicros === 0n ? 0n : (2n * weight + quantityMicros) / (2n * quantityMicros);

/**
 * The credit that a resolution gives a position, and the outcome for it.
 * @param yesWorthMicros the worth of a YES contract in a split
 */
export function payoutOf(
  {
    side,
    quantityMicros,
    costBasisMinor,
  }: { readonly side: string; readonly quantityMicros: bigint; readonly costBasisMinor: bigint },
  resolution: string,
  yesWorthMicros: bigint | null,
): { readonly creditMinor: bigint; readonly outcome: string } {
  if (resolution === 'VOID') {
    return { creditMinor: costBasisMinor, outcome: 'void' };
  }
  if (resolution === 'SPLIT') {
    const yes = yesWorthMicros ?? 0n;
    return { creditMinor: (quantityMicros * (side === 'YES' ? yes : DOLLAR_MICROS - yes)) / CENT, outcome: 'void' };
  }
  return side === resolution
    ? { creditMinor: quantityMicros / MICROS_PER_CENT, outcome: 'won' }
    : { creditMinor: 0n, outcome: 'lost' };
}

/**
 * The auditor's own arithmetic, from the specification: what a quote authorizes, what fills cost and bring, what leaves a position
 * by an exit, and what a resolution pays. Amounts are cents, prices micro-dollars, quantities micro-contracts, weights the product of
 * price and quantity (1e-12 dollars). It shares no code with what charges and pays.
 */

/** 1e-12 dollars in a cent. */
const CENT = 10_000_000_000n;
const MICROS_PER_CENT = 10_000n;
const DOLLAR_MICROS = 1_000_000n;

export const up = (value: bigint, by: bigint): bigint => (value > 0n ? (value + by - 1n) / by : 0n);
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The fee at a rate of an amount, rounded up. */
export const feeAt = (amount: bigint, bps: number): bigint => up(amount * BigInt(bps), 10_000n);

/** What an amount buys at a price: contracts, rounded down. */
export const contractsFor = (tradeMinor: bigint, priceMicros: bigint): bigint =>
  priceMicros > 0n ? (tradeMinor * CENT) / priceMicros : 0n;

/** What contracts bring at a price, rounded down to the cent. */
export const notionalOf = (weight: bigint): bigint => weight / CENT;

/** The order's part of a charge. */
export interface Charge {
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
}

interface Filled {
  readonly quantity: bigint;
  readonly priceMicros: bigint;
  readonly feeMicros: bigint | null;
}

const weightOf = (fills: readonly Filled[]) => fills.reduce((sum, fill) => sum + fill.quantity * fill.priceMicros, 0n);
const feesOf = (fills: readonly Filled[]) => fills.reduce((sum, fill) => sum + (fill.feeMicros ?? 0n), 0n);

export const sumOf = (fills: readonly Filled[]) => ({
  quantity: fills.reduce((sum, fill) => sum + fill.quantity, 0n),
  weight: weightOf(fills),
});

interface BuyTerms {
  readonly quotedTradeMinor: bigint;
  readonly quotedFeeMinor: bigint;
}

/** A buy's charge: cost up to the cent and the venue's fee up to the cent, both within the trade amount, and their share of our fee. */
export function chargeOfBuy(terms: BuyTerms, fills: readonly Filled[]): Charge {
  const tradeMinor = smaller(terms.quotedTradeMinor, up(weightOf(fills), CENT));
  const venueFeeMinor = smaller(up(feesOf(fills), MICROS_PER_CENT), terms.quotedTradeMinor - tradeMinor);
  const share =
    terms.quotedTradeMinor === 0n
      ? 0n
      : up(terms.quotedFeeMinor * (tradeMinor + venueFeeMinor), terms.quotedTradeMinor);
  return { tradeMinor, venueFeeMinor, platformFeeMinor: smaller(terms.quotedFeeMinor, share) };
}

/**
 * A sell's charge, of the fills whose fee is known: the venue's fee out of what they brought, ours out of what is left. Proceeds that
 * were told do not fall: what would lower them is left out of our fee first, and then of the venue's.
 */
export function chargeOfSell(feeBps: number, fills: readonly Filled[], before: Charge): Charge {
  const known = fills.filter((fill) => fill.feeMicros !== null);
  const tradeMinor = notionalOf(weightOf(known));
  const venueFeeMinor = smaller(up(feesOf(known), MICROS_PER_CENT), tradeMinor);
  const platformFeeMinor = smaller(feeAt(tradeMinor, feeBps), tradeMinor - venueFeeMinor);
  const told = before.tradeMinor - before.platformFeeMinor - before.venueFeeMinor;
  if (tradeMinor - venueFeeMinor - platformFeeMinor >= told) {
    return { tradeMinor, venueFeeMinor, platformFeeMinor };
  }
  const venue = smaller(venueFeeMinor, tradeMinor - told - before.platformFeeMinor);
  return { tradeMinor, venueFeeMinor: venue, platformFeeMinor: tradeMinor - told - venue };
}

/** What a venue took beyond what the customer was charged (positive), or paid beyond what was sold (negative). */
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
  readonly quantity: bigint;
  readonly costBasisMinor: bigint;
  readonly entryFeesMinor: bigint;
  readonly priceWeight: bigint;
}

/** What an exit takes out of a position: its share of cost and of entry fees, rounded down; what is left of the weight of prices. */
export function shareOf({ quantity, costBasisMinor, entryFeesMinor, priceWeight }: Held, exited: bigint) {
  const left = quantity - exited;
  return {
    costMinor: (costBasisMinor * exited) / quantity,
    feesMinor: (entryFeesMinor * exited) / quantity,
    weightLeft: (priceWeight * left) / quantity,
  };
}

/** The average price of contracts, rounded half up; fees are not in it. */
export const averageOf = (weight: bigint, quantity: bigint): bigint =>
  quantity === 0n ? 0n : (2n * weight + quantity) / (2n * quantity);

/** What a resolution pays for a position, and in which word. @param yesWorthMicros of a split */
export function payoutOf(
  {
    side,
    quantity,
    costBasisMinor,
  }: { readonly side: string; readonly quantity: bigint; readonly costBasisMinor: bigint },
  resolution: string,
  yesWorthMicros: bigint | null,
): { readonly creditMinor: bigint; readonly outcome: string } {
  if (resolution === 'VOID') {
    return { creditMinor: costBasisMinor, outcome: 'void' };
  }
  if (resolution === 'SPLIT') {
    const yes = yesWorthMicros ?? 0n;
    return { creditMinor: (quantity * (side === 'YES' ? yes : DOLLAR_MICROS - yes)) / CENT, outcome: 'void' };
  }
  return side === resolution
    ? { creditMinor: quantity / MICROS_PER_CENT, outcome: 'won' }
    : { creditMinor: 0n, outcome: 'lost' };
}

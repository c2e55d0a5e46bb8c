/**
 * The cost of a live order's fills to the customer, as running totals of the whole order. Refuses to charge past the trade amount: amounts
 * that a venue takes beyond it are paid by the service, reported as `overrunMinor` so that a warning can be given (contract 13.6 to 13.11).
 */

import { min } from './book.ts';
import { CENT, ceilDivide, ONE_DOLLAR_MICROS } from './decimal.ts';
import { type BuyPart, type BuyTerms, chargeBuy } from './partial.ts';
import { chargeSell, type SellMoney } from './sell.ts';

/** A fill of an order: micro-dollars, micro-contracts, micro-dollars. */
export interface Fill {
  readonly priceMicros: bigint;
  readonly quantityMicros: bigint;
  /** The fee that the venue took of it; null until it is known. */
  readonly feeMicros: bigint | null;
}

export interface FillSums {
  readonly filledMicros: bigint;
  /** Sum of price times quantity, 1e-12 dollars. */
  readonly priceWeight: bigint;
  /** Sum of the fees that are known, 1e-12 dollars. */
  readonly fees: bigint;
  readonly venueFeeKnown: boolean;
}

/** Whether every fill has a fee that is known to be zero. */
const NO_FILLS: FillSums = { filledMicros: 0n, priceWeight: 0n, fees: 0n, venueFeeKnown: true };

function addFill(sums: FillSums, { priceMicros, quantityMicros, feeMicros }: Fill): FillSums {
  return {
    filledMicros: sums.filledMicros + quantityMicros,
    priceWeight: sums.priceWeight + priceMicros * quantityMicros,
    fees: sums.fees + (feeMicros ?? 0n) * ONE_DOLLAR_MICROS,
    venueFeeKnown: sums.venueFeeKnown && feeMicros !== null,
  };
}

/** A fill of a sell counts once its fee is known. */
function addKnownFill(sums: FillSums, fill: Fill): FillSums {
  return fill.feeMicros === null ? { ...sums, venueFeeKnown: false } : addFill(sums, fill);
}

/** Totals carry the sums of the fills beside their money; `overrunMinor` is the amount that the venue took past the customer's. */
export interface FillTotals {
  readonly filledMicros: bigint;
  readonly priceWeight: bigint;
  readonly venueFeeKnown: boolean;
  readonly overrunMinor: bigint;
}

export type LiveBuyTotals = BuyPart & FillTotals;
export type LiveSellTotals = SellMoney & Pick<FillTotals, 'venueFeeKnown' | 'overrunMinor'>;

type LiveBuyTerms = Pick<BuyTerms, 'authorizationMinor' | 'platformFeeMinor' | 'tradeMinor'>;

/**
 * The money of a live buy after none of its fills, after the first, and so on: cost up to the cent, then fees up to the cent, both inside
 * the trade amount.
 */
export function liveBuyTotalsAfterEach(fills: readonly Fill[], terms: LiveBuyTerms): LiveBuyTotals[] {
  return runningSums(fills, addFill).map((sums) => buyTotalsOf(sums, terms));
}

function buyTotalsOf({ filledMicros, priceWeight, fees, venueFeeKnown }: FillSums, terms: LiveBuyTerms): LiveBuyTotals {
  const tradeMinor = min(ceilDivide(priceWeight, CENT), terms.tradeMinor);
  const venueFeeMinor = min(ceilDivide(fees, CENT), terms.tradeMinor - tradeMinor);
  const overrunMinor = beyond(priceWeight + fees, tradeMinor + venueFeeMinor);
  const part = chargeBuy(terms, filledMicros, tradeMinor, venueFeeMinor);
  return { ...part, priceWeight, venueFeeKnown, overrunMinor };
}

/**
 * Cumulative money of a live sell: of the fills whose venue fee is known the floored notional, the venue's fee out of it, then ours out of
 * the rest.
 */
export function liveSellTotals(fills: readonly Fill[], feeBps: number): LiveSellTotals {
  return sellTotalsOf(fills.reduce(addKnownFill, NO_FILLS), feeBps);
}

/** The money of a live sell after none of its fills, after the first, and so on. */
export function liveSellTotalsAfterEach(fills: readonly Fill[], feeBps: number): LiveSellTotals[] {
  return runningSums(fills, addKnownFill).map((sums) => sellTotalsOf(sums, feeBps));
}

function sellTotalsOf({ priceWeight, fees, venueFeeKnown }: FillSums, feeBps: number): LiveSellTotals {
  const money = chargeSell(priceWeight / CENT, feeBps, ceilDivide(fees, CENT));
  return { ...money, venueFeeKnown, overrunMinor: beyond(fees - priceWeight, 0n) };
}

/** The sums of no fill, of the first, of the first two, and so on. */
function runningSums(fills: readonly Fill[], add: (sums: FillSums, fill: Fill) => FillSums): FillSums[] {
  let sums = NO_FILLS;
  return [sums, ...fills.map((fill) => (sums = add(sums, fill)))];
}

/**
 * Proceeds that were shown to the customer never fall (contract 13.12). A fill can cost more than it brings: the amount that it would take
 * from earlier ones first reduces our fee, and is then paid by us to the venue.
 * @param before the recorded totals of the order
 */
export function keepProceeds(totals: LiveSellTotals, before: Omit<SellMoney, 'notionalMinor'>): LiveSellTotals {
  const { proceedsMinor } = before;
  if (totals.proceedsMinor >= proceedsMinor) {
    return totals;
  }
  const fees = totals.notionalMinor - proceedsMinor;
  const venueFeeMinor = min(totals.venueFeeMinor, fees - before.platformFeeMinor);
  const overrunMinor = totals.overrunMinor + totals.venueFeeMinor - venueFeeMinor;
  return { ...totals, proceedsMinor, venueFeeMinor, platformFeeMinor: fees - venueFeeMinor, overrunMinor };
}

/** Whole cents, rounded up, by which exact 1e-12 dollars exceed an amount; the two roundings above are not an overrun. */
function beyond(exact: bigint, amountMinor: bigint): bigint {
  const past = ceilDivide(exact, CENT) - amountMinor;
  return past > 0n ? past : 0n;
}

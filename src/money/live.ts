/**
 * Live execution: how much a venue is asked for, and what its fills cost the customer.
 * Refuses to send more than the trade amount can carry, fee included, and to charge past it: what a venue takes beyond
 * is the service's own (rulings 1 "Live", "Live sell").
 */
import { CENT, type Level, min, walkSpend } from './book.ts';
import { ceilDivide } from './decimal.ts';
import { type BuyPart, type BuyTerms, chargeBuy } from './partial.ts';
import { chargeSell, type SellMoney } from './sell.ts';

/** A venue's taker fee for a quantity at one price, in 1e-12 dollars, never falling as either quantity grows. */
export type TakerFee = (priceMicros: bigint, quantityMicros: bigint) => bigint;

/** A taker fee of basis points of the cost, rounded up in 1e-12 dollars. */
export function costFee(bps: number): TakerFee {
  const rate = BigInt(bps);
  return (priceMicros, quantityMicros) => ceilDivide(priceMicros * quantityMicros * rate, 10_000n);
}

export interface LiveBuyInput {
  /** Ask ladder of the side, fresh. */
  readonly ladder: readonly Level[];
  readonly tradeMinor: bigint;
  readonly quotedPriceMicros: bigint;
  readonly maxSlippageMicros: bigint;
  /** The venue's fee, or its highest rate where the fee is unknown. */
  readonly takerFee: TakerFee;
  /** True when the venue takes a bound on cost, so that cheaper levels may be counted at their own price. */
  readonly boundsCost: boolean;
  readonly stepMicros: bigint;
  readonly minimumMicros: bigint;
  /** Least cost the venue takes, in cents. */
  readonly minimumCostMinor?: bigint;
}

export type LiveBuyPlan =
  | { ok: true; limitPriceMicros: bigint; quantityMicros: bigint; averagePriceMicros: bigint; maxCostMinor: bigint }
  | { ok: false; code: 'price_moved' | 'below_venue_minimum' };

/** Limit and largest quantity whose cost and fee fit in the trade amount. */
export function planLiveBuy(input: LiveBuyInput): LiveBuyPlan {
  const { ladder, tradeMinor, stepMicros } = input;
  const walk = walkSpend(ladder, tradeMinor);
  if (!walk.ok || walk.priceMicros > input.quotedPriceMicros + input.maxSlippageMicros) {
    return { ok: false, code: 'price_moved' };
  }
  const limitPriceMicros = walk.limitPriceMicros;
  const within = ladder.filter((level) => level.priceMicros <= limitPriceMicros);
  const depth = within.reduce((sum, level) => sum + level.quantityMicros, 0n);
  const asked = input.boundsCost ? within : [{ priceMicros: limitPriceMicros, quantityMicros: depth }];
  const budget = tradeMinor * CENT;
  // Cost and fee only grow with quantity, so the largest that fits is found by halving.
  let low = 0n;
  let high = depth / stepMicros;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    const { cost, fee } = costOf(asked, middle * stepMicros, input.takerFee);
    if (cost + fee <= budget) low = middle;
    else high = middle - 1n;
  }
  const quantityMicros = low * stepMicros;
  const { cost } = costOf(asked, quantityMicros, input.takerFee);
  if (quantityMicros === 0n || quantityMicros < input.minimumMicros || cost < (input.minimumCostMinor ?? 0n) * CENT) {
    return { ok: false, code: 'below_venue_minimum' };
  }
  return { ok: true, limitPriceMicros, quantityMicros, averagePriceMicros: walk.priceMicros, maxCostMinor: tradeMinor };
}

function costOf(levels: readonly Level[], quantityMicros: bigint, takerFee: TakerFee): { cost: bigint; fee: bigint } {
  let cost = 0n;
  let fee = 0n;
  let left = quantityMicros;
  for (const level of levels) {
    if (left === 0n) break;
    const taken = min(left, level.quantityMicros);
    cost += level.priceMicros * taken;
    fee += takerFee(level.priceMicros, taken);
    left -= taken;
  }
  return { cost, fee };
}

/** One fill as the venue told it; fee in micro-dollars, null while it is still being read. */
export interface LiveFill {
  readonly priceMicros: bigint;
  readonly quantityMicros: bigint;
  readonly feeMicros: bigint | null;
}

export interface FillSums {
  readonly filledMicros: bigint;
  /** Sum of price times quantity, 1e-12 dollars. */
  readonly priceWeight: bigint;
  readonly feesMinor: bigint;
  readonly venueFeeKnown: boolean;
}

/** Plain sums over fills; fees rounded up to the cent once, none counted while one of them is unknown. */
export function sumFills(fills: readonly LiveFill[]): FillSums {
  const venueFeeKnown = fills.every((fill) => fill.feeMicros !== null);
  const feesMicros = fills.reduce((sum, fill) => sum + (fill.feeMicros ?? 0n), 0n);
  return {
    filledMicros: fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n),
    priceWeight: fills.reduce((sum, fill) => sum + fill.priceMicros * fill.quantityMicros, 0n),
    feesMinor: venueFeeKnown ? ceilDivide(feesMicros, 10_000n) : 0n,
    venueFeeKnown,
  };
}

export type LiveBuyTotals = BuyPart & { readonly venueFeeKnown: boolean; readonly overrunMinor: bigint };

/** Cumulative money of a live buy. `overrunMinor` is what the venue took beyond the trade amount: ours, and a warning. */
export function liveBuyTotals(
  fills: readonly LiveFill[],
  terms: Pick<BuyTerms, 'authorizationMinor' | 'platformFeeMinor' | 'tradeMinor'>,
): LiveBuyTotals {
  const sums = sumFills(fills);
  const costMinor = ceilDivide(sums.priceWeight, CENT);
  const tradeMinor = min(costMinor, terms.tradeMinor);
  const venueFeeMinor = min(sums.feesMinor, terms.tradeMinor - tradeMinor);
  const part = chargeBuy(terms, sums.filledMicros, tradeMinor, venueFeeMinor);
  const overrunMinor = costMinor + sums.feesMinor - tradeMinor - venueFeeMinor;
  return { ...part, venueFeeKnown: sums.venueFeeKnown, overrunMinor };
}

export type LiveSellTotals = SellMoney & {
  readonly filledMicros: bigint;
  readonly venueFeeKnown: boolean;
  readonly overrunMinor: bigint;
};

/** Cumulative money of a live sell: the floored notional, the venue's fee from it, then ours from what is left. */
export function liveSellTotals(fills: readonly LiveFill[], feeBps: number): LiveSellTotals {
  const sums = sumFills(fills);
  const money = chargeSell(sums.priceWeight / CENT, feeBps, sums.feesMinor);
  const overrunMinor = sums.feesMinor - money.venueFeeMinor;
  return { ...money, filledMicros: sums.filledMicros, venueFeeKnown: sums.venueFeeKnown, overrunMinor };
}

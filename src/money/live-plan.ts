/**
 * The plan of a live order: the limit and the quantity, or the dollars, that a venue is sent, against the current book. It
 * refuses to send more than the trade amount can pay, fee included, and any price past the accepted one (contract 13.7,
 * contract 13.8). An order that is refused here is withdrawn unsent.
 */
import { type Level, min, walkQuantity, walkSpend } from './book.ts';
import { CENT, ceilDivide, MICROS_PER_CENT, ONE_DOLLAR_MICROS } from './decimal.ts';

/** A venue's taker fee for a quantity at one price, in 1e-12 dollars, linear in quantity. */
export type TakerFee = (priceMicros: bigint, quantityMicros: bigint) => bigint;

/**
 * The fee of a schedule: basis points of the cost, or of `p * (1 - p)` per contract, plus the basis points of the cost that
 * a broker earns. If the rate is unknown, the schedule has the highest one.
 */
export function takerFee(schedule: {
  readonly model: 'of_cost' | 'of_variance';
  readonly bps: number;
  readonly brokerBps?: number;
}): TakerFee {
  const rate = BigInt(schedule.bps);
  const broker = BigInt(schedule.brokerBps ?? 0);
  if (schedule.model === 'of_cost') {
    return (price, quantity) => ceilDivide(price * quantity * (rate + broker), 10_000n);
  }
  const scale = ONE_DOLLAR_MICROS * 10_000n;
  return (price, quantity) => {
    const ofVariance = quantity * price * (ONE_DOLLAR_MICROS - price) * rate;
    return ceilDivide(ofVariance + quantity * price * broker * ONE_DOLLAR_MICROS, scale);
  };
}

/** The sizes that the venue accepts in one order. */
export interface VenueSteps {
  readonly stepMicros: bigint;
  readonly minimumMicros: bigint;
  /** Least amount of one buy, in cents. */
  readonly minimumCostMinor?: bigint;
}

/** The price that the customer accepted and the adverse move that they allowed. */
export interface AcceptedPrice {
  readonly quotedPriceMicros: bigint;
  readonly maxSlippageMicros: bigint;
}

export interface LiveBuyInput extends VenueSteps, AcceptedPrice {
  /** Ask ladder of the side, fresh. */
  readonly ladder: readonly Level[];
  readonly tradeMinor: bigint;
  readonly takerFee: TakerFee;
  /** The fee of the order is rounded up to a multiple of this, in micro-dollars. */
  readonly feeStepMicros?: bigint;
  /** True if the venue honours a bound on cost and fees, so that cheaper levels count at their own price. */
  readonly boundsCost: boolean;
  /** True if the venue takes dollars. The plan then names the dollars to spend and the quantity that they buy at the limit. */
  readonly takesDollars?: boolean;
}

export interface LivePlan {
  readonly ok: true;
  readonly limitPriceMicros: bigint;
  readonly quantityMicros: bigint;
  /** Volume-weighted price of the walk, rounded against the customer. */
  readonly averagePriceMicros: bigint;
}

/** `maxCostMicros` bounds cost and fees together, in micro-dollars, for a venue that takes such a bound. */
export type LiveBuyPlan = (LivePlan & { readonly maxCostMicros: bigint; readonly spendMicros?: bigint }) | PlanRefusal;
export type PlanRefusal = { readonly ok: false; readonly code: 'price_moved' | 'below_venue_minimum' };

/** Finds the limit (the most expensive level of the walk) and the largest quantity whose cost and fee fit in the trade amount. */
export function planLiveBuy(input: LiveBuyInput): LiveBuyPlan {
  const { ladder, tradeMinor, stepMicros } = input;
  const walk = walkSpend(ladder, tradeMinor);
  if (!walk.ok || walk.priceMicros > input.quotedPriceMicros + input.maxSlippageMicros) {
    return { ok: false, code: 'price_moved' };
  }
  const limitPriceMicros = walk.limitPriceMicros;
  const within = ladder.filter((level) => level.priceMicros <= limitPriceMicros);
  if (input.takesDollars === true) {
    return planSpend(input, within, limitPriceMicros, walk.priceMicros);
  }
  const depth = within.reduce((sum, level) => sum + level.quantityMicros, 0n);
  const asked = input.boundsCost ? within : [{ priceMicros: limitPriceMicros, quantityMicros: depth }];
  const budget = tradeMinor * CENT;
  // Cost and fee only grow with quantity, so the largest that fits is found by halving.
  let low = 0n;
  let high = depth / stepMicros;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    const { cost, fee } = costOf(asked, middle * stepMicros, input.takerFee);
    if (cost + roundedUp(fee, input.feeStepMicros) <= budget) {
      low = middle;
    } else {
      high = middle - 1n;
    }
  }
  const quantityMicros = low * stepMicros;
  const { cost } = costOf(asked, quantityMicros, input.takerFee);
  if (quantityMicros < atLeast(input) || cost < (input.minimumCostMinor ?? 0n) * CENT) {
    return { ok: false, code: 'below_venue_minimum' };
  }
  const maxCostMicros = tradeMinor * 10_000n;
  return { ok: true, limitPriceMicros, quantityMicros, averagePriceMicros: walk.priceMicros, maxCostMicros };
}

export interface LiveSellInput extends VenueSteps, AcceptedPrice {
  /** Bid ladder of the side, fresh. */
  readonly ladder: readonly Level[];
  readonly contractsMicros: bigint;
}

/** Finds the limit (the cheapest level of the walk) and rounds the contracts down to whole steps of the venue. */
export function planLiveSell(input: LiveSellInput): LivePlan | PlanRefusal {
  const walk = walkQuantity(input.ladder, input.contractsMicros);
  if (!walk.ok || walk.priceMicros + input.maxSlippageMicros < input.quotedPriceMicros) {
    return { ok: false, code: 'price_moved' };
  }
  const quantityMicros = input.contractsMicros - (input.contractsMicros % input.stepMicros);
  if (quantityMicros < atLeast(input)) {
    return { ok: false, code: 'below_venue_minimum' };
  }
  const { limitPriceMicros, priceMicros: averagePriceMicros } = walk;
  return { ok: true, limitPriceMicros, quantityMicros, averagePriceMicros };
}

function costOf(levels: readonly Level[], quantityMicros: bigint, fee: TakerFee): { cost: bigint; fee: bigint } {
  const sums = { cost: 0n, fee: 0n };
  let left = quantityMicros;
  for (const level of levels) {
    if (left === 0n) {
      break;
    }
    const taken = min(left, level.quantityMicros);
    sums.cost += level.priceMicros * taken;
    sums.fee += fee(level.priceMicros, taken);
    left -= taken;
  }
  return sums;
}

function roundedUp(fee: bigint, stepMicros: bigint | undefined): bigint {
  const step = stepMicros === undefined ? 1n : stepMicros * ONE_DOLLAR_MICROS;
  return ceilDivide(fee, step) * step;
}

function atLeast({ minimumMicros }: VenueSteps): bigint {
  return minimumMicros > 1n ? minimumMicros : 1n;
}

function planSpend(
  input: LiveBuyInput,
  within: readonly Level[],
  limitPriceMicros: bigint,
  averagePriceMicros: bigint,
): LiveBuyPlan {
  const prices = within.map(({ priceMicros }) => priceMicros);
  const cents = spendThatFits(prices, input.tradeMinor, input.takerFee);
  const spendMicros = cents * MICROS_PER_CENT;
  const bought = (spendMicros * ONE_DOLLAR_MICROS) / limitPriceMicros;
  const quantityMicros = bought - (bought % input.stepMicros);
  if (quantityMicros < atLeast(input) || cents < (input.minimumCostMinor ?? 0n)) {
    return { ok: false, code: 'below_venue_minimum' };
  }
  const maxCostMicros = input.tradeMinor * 10_000n;
  return { ok: true, limitPriceMicros, quantityMicros, averagePriceMicros, maxCostMicros, spendMicros };
}

/**
 * The dollars of a buy at a venue that takes dollars and charges its fee on top. At a better price the same dollars buy
 * more contracts, whose fee may be higher, so the fee is counted at the price of the walk where it is highest.
 * @returns the largest whole cents that fit in `tradeMinor` together with their fee at each of these prices
 */
function spendThatFits(prices: readonly bigint[], tradeMinor: bigint, fee: TakerFee): bigint {
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

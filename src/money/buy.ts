/**
 * The buy: the terms of a stake at quote, and the simulated fill of that quote later. Refuses by returning a code, never by throwing: the
 * caller turns a code into a response (contract 2.5 to 2.10, contract 13.1 to 13.5).
 */
import type { Side } from '../core/terms.ts';
import { askLadder, type Level, walkSpend } from './book.ts';
import {
  CENT,
  MICRO_SCALE,
  MINOR_SCALE,
  MOST_CONTRACTS_MICROS,
  ONE_DOLLAR_MICROS,
  readDecimal,
  scaleDecimal,
} from './decimal.ts';
import { feeOf, feeRate } from './usd.ts';

/** 10,000,000.00 dollars. */
const MAX_STAKE_MINOR = 1_000_000_000n;
/** An adverse price allowance is clamped to 0.05 (spec "POST /orders"). */
const MAX_SLIPPAGE_MICROS = 50_000n;

export interface BuyQuote {
  readonly ok: true;
  readonly stakeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly tradeMinor: bigint;
  readonly priceMicros: bigint;
  readonly contractsMicros: bigint;
  readonly payoutMinor: bigint;
  /** The levels of the book that it takes. */
  readonly levels: readonly Level[];
}

export type BuyRefusal =
  | { readonly ok: false; readonly code: 'invalid_request' | 'line_not_available' }
  | {
      readonly ok: false;
      readonly code: 'below_venue_minimum';
      readonly tradeMinor: bigint;
      readonly minimumMinor: bigint;
      /** The smallest stake that passes. */
      readonly minStakeMinor: bigint;
    }
  | {
      readonly ok: false;
      readonly code: 'stake_exceeds_available_depth';
      /** Null if even that stake would be below the venue's minimum. */
      readonly maxStakeMinor: bigint | null;
    };

export interface BuyQuoteInput {
  /** Dollars, as the request's JSON number or as decimal text. */
  readonly stake: number | string;
  readonly feeBps: number;
  readonly side: Side;
  /** YES levels. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly venueMinimumMinor?: bigint;
}

/** Prices a stake against a book: stake rounded once, fee off the top, price against the customer, contracts down. */
export function decideBuyQuote(input: BuyQuoteInput): BuyQuote | BuyRefusal {
  const stakeMinor = readStake(input.stake);
  if (stakeMinor === null) {
    return { ok: false, code: 'invalid_request' };
  }
  const platformFeeMinor = feeOf(stakeMinor, input.feeBps);
  const tradeMinor = stakeMinor - platformFeeMinor;
  const minimumMinor = leastTrade(input.venueMinimumMinor);
  if (tradeMinor < minimumMinor) {
    const minStakeMinor = smallestStake(minimumMinor, input.feeBps);
    return { ok: false, code: 'below_venue_minimum', tradeMinor, minimumMinor, minStakeMinor };
  }
  const ladder = askLadder(input.side, input.bids, input.asks);
  if (ladder.length === 0) {
    return { ok: false, code: 'line_not_available' };
  }
  const walk = walkSpend(ladder, tradeMinor);
  if (!walk.ok) {
    const maxStakeMinor = walk.depthMinor < minimumMinor ? null : largestStake(walk.depthMinor, input.feeBps);
    return { ok: false, code: 'stake_exceeds_available_depth', maxStakeMinor };
  }
  const contractsMicros = contractsFor(tradeMinor, walk.priceMicros);
  if (contractsMicros > MOST_CONTRACTS_MICROS) {
    const [cheapest = { priceMicros: walk.priceMicros }] = ladder;
    const maxStakeMinor = largestStake((MOST_CONTRACTS_MICROS * cheapest.priceMicros) / CENT, input.feeBps);
    return { ok: false, code: 'stake_exceeds_available_depth', maxStakeMinor };
  }
  const payoutMinor = contractsMicros / 10_000n;
  return {
    ok: true,
    stakeMinor,
    platformFeeMinor,
    tradeMinor,
    priceMicros: walk.priceMicros,
    contractsMicros,
    payoutMinor,
    levels: walk.levels,
  };
}

/** A stake in cents, rounded half up once; null below one cent, above 10,000,000.00, or if it is not a number. */
export function readStake(stake: number | string): bigint | null {
  const decimal = readDecimal(stake);
  if (decimal === null) {
    return null;
  }
  const stakeMinor = scaleDecimal(decimal, MINOR_SCALE, 'half-up');
  return stakeMinor < 1n || stakeMinor > MAX_STAKE_MINOR ? null : stakeMinor;
}

/** Contracts a trade amount buys at a price, rounded down to the micro-contract. */
function contractsFor(tradeMinor: bigint, priceMicros: bigint): bigint {
  return (tradeMinor * CENT) / priceMicros;
}

/**
 * Largest stake whose trade amount is at most `depthMinor`: the trade amount of `S` is `floor(S * (10000 - bps) / 10000)`,
 * so it is the last `S` below `(depth + 1) * 10000 / (10000 - bps)`.
 */
function largestStake(depthMinor: bigint, feeBps: number): bigint {
  const kept = 10_000n - feeRate(feeBps);
  return ((depthMinor + 1n) * 10_000n - 1n) / kept;
}

/** Smallest stake whose trade amount, `floor(S * (10000 - bps) / 10000)`, is at least `tradeMinor`. */
export function smallestStake(tradeMinor: bigint, feeBps: number): bigint {
  const kept = 10_000n - feeRate(feeBps);
  return (tradeMinor * 10_000n + kept - 1n) / kept;
}

/** The smallest trade amount of a venue in cents: one dollar if it states none, and never below one cent. */
export function leastTrade(venueMinimumMinor = 100n): bigint {
  return venueMinimumMinor < 1n ? 1n : venueMinimumMinor;
}

/** `maxSlippage` of an order in micro-dollars, clamped to 0.05; null when it is not 0 to under 1. */
export function readSlippage(maxSlippage: number | string): bigint | null {
  const decimal = readDecimal(maxSlippage);
  if (decimal === null || decimal.digits < 0n) {
    return null;
  }
  const micros = scaleDecimal(decimal, MICRO_SCALE, 'floor');
  if (micros >= ONE_DOLLAR_MICROS) {
    return null;
  }
  return micros > MAX_SLIPPAGE_MICROS ? MAX_SLIPPAGE_MICROS : micros;
}

export type Refill =
  | { readonly ok: true; readonly priceMicros: bigint; readonly contractsMicros: bigint }
  | { readonly ok: false; readonly code: 'price_moved' };

/**
 * A simulated fill of a quote against the book as it is now: at the quoted price if the book is not more expensive, at the
 * new price within the slippage (contracts recomputed), else `price_moved`, also if the depth is gone.
 */
export function refillBuy(
  terms: { readonly tradeMinor: bigint; readonly priceMicros: bigint; readonly contractsMicros: bigint },
  ladderNow: readonly Level[],
  maxSlippageMicros: bigint,
): Refill {
  const walk = walkSpend(ladderNow, terms.tradeMinor);
  if (!walk.ok || walk.priceMicros > terms.priceMicros + maxSlippageMicros) {
    return { ok: false, code: 'price_moved' };
  }
  if (walk.priceMicros <= terms.priceMicros) {
    return { ok: true, priceMicros: terms.priceMicros, contractsMicros: terms.contractsMicros };
  }
  const contractsMicros = contractsFor(terms.tradeMinor, walk.priceMicros);
  return { ok: true, priceMicros: walk.priceMicros, contractsMicros };
}

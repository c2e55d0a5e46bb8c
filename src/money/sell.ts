/**
 * The sell: the worth of contracts on the bids, less fees. Exits are sized in contracts and only ever credit. Refuses by returning a code
 * if nothing would be left for the customer (contract 14.2, contract 14.3).
 */
import type { Side } from '../core/terms.ts';
import { bidLadder, type Level, min, walkQuantity } from './book.ts';
import type { Refill } from './buy.ts';
import { CENT, MICRO_SCALE, MOST_CONTRACTS_MICROS, readDecimal, scaleDecimal } from './decimal.ts';
import { feeOf } from './usd.ts';

export interface SellMoney {
  readonly notionalMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
  readonly proceedsMinor: bigint;
}

export interface SellQuote extends SellMoney {
  readonly ok: true;
  readonly contractsMicros: bigint;
  readonly priceMicros: bigint;
  /** The levels of the book that it takes. */
  readonly levels: readonly Level[];
}

export interface SellRefusal {
  readonly ok: false;
  readonly code: 'invalid_request' | 'line_not_available' | 'stake_exceeds_available_depth' | 'sell_not_available';
}

export interface SellInput {
  /** As the request's JSON number or as decimal text; digits past the sixth are dropped. */
  readonly contracts: number | string;
  readonly feeBps: number;
  readonly side: Side;
  /** YES levels. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Prices an exit against a book: price down to the micro-dollar, notional down to the cent, fee up. */
export function decideSell(input: SellInput): SellQuote | SellRefusal {
  const contractsMicros = readContracts(input.contracts);
  if (contractsMicros === null) {
    return { ok: false, code: 'invalid_request' };
  }
  const ladder = bidLadder(input.side, input.bids, input.asks);
  if (ladder.length === 0) {
    return { ok: false, code: 'line_not_available' };
  }
  const walk = walkQuantity(ladder, contractsMicros);
  if (!walk.ok) {
    return { ok: false, code: 'stake_exceeds_available_depth' };
  }
  const money = fillSellPart({ priceMicros: walk.priceMicros, feeBps: input.feeBps }, contractsMicros);
  if (money.proceedsMinor <= 0n) {
    return { ok: false, code: 'sell_not_available' };
  }
  return { ok: true, contractsMicros, priceMicros: walk.priceMicros, levels: walk.levels, ...money };
}

/** Micro-contracts, rounded down; null if none are left, if there are too many, or if it is not a number. */
export function readContracts(contracts: number | string): bigint | null {
  const decimal = readDecimal(contracts);
  if (decimal === null) {
    return null;
  }
  const micros = scaleDecimal(decimal, MICRO_SCALE, 'floor');
  const isExact = scaleDecimal(decimal, MICRO_SCALE, 'ceil') === micros;
  return !isExact || micros < 1n || micros > MOST_CONTRACTS_MICROS ? null : micros;
}

/** Money of a sold quantity at one price. Fees never pass the notional, so proceeds are never below zero. */
export function fillSellPart(
  terms: { readonly priceMicros: bigint; readonly feeBps: number },
  filledMicros: bigint,
  venueFeeMinor = 0n,
): SellMoney {
  if (filledMicros < 0n) {
    throw new RangeError('fill below zero');
  }
  return chargeSell((filledMicros * terms.priceMicros) / CENT, terms.feeBps, venueFeeMinor);
}

/** Fees and proceeds of a notional. The venue's fee comes first, ours out of the rest. */
export function chargeSell(notionalMinor: bigint, feeBps: number, venueFeeMinor: bigint): SellMoney {
  if (venueFeeMinor < 0n) {
    throw new RangeError('venue fee below zero');
  }
  const venueFee = min(venueFeeMinor, notionalMinor);
  const platformFeeMinor = min(feeOf(notionalMinor, feeBps), notionalMinor - venueFee);
  const proceedsMinor = notionalMinor - platformFeeMinor - venueFee;
  return { notionalMinor, platformFeeMinor, venueFeeMinor: venueFee, proceedsMinor };
}

/**
 * A simulated fill of a sell quote against the bids as they are now: at the quoted price if they are not lower, at
 * the new price within the slippage, else `price_moved`, also if the depth is gone.
 */
export function refillSell(
  terms: { readonly priceMicros: bigint; readonly contractsMicros: bigint },
  ladderNow: readonly Level[],
  maxSlippageMicros: bigint,
): Refill {
  const walk = walkQuantity(ladderNow, terms.contractsMicros);
  if (!walk.ok || walk.priceMicros + maxSlippageMicros < terms.priceMicros) {
    return { ok: false, code: 'price_moved' };
  }
  return { ok: true, priceMicros: min(walk.priceMicros, terms.priceMicros), contractsMicros: terms.contractsMicros };
}

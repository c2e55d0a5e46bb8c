/**
 * A contract's book as ladders of executable levels, and the cost of walking them. Refuses crossed and locked books, and never rounds
 * twice: a volume-weighted price is one exact rational, rounded once, always against the customer (contract 2.8, contract 14.2).
 */

import type { Side } from '../core/terms.ts';
import { CENT, ceilDivide, ONE_DOLLAR_MICROS } from './decimal.ts';

/** Price in micro-dollars a contract, quantity in micro-contracts. */
export interface Level {
  readonly priceMicros: bigint;
  readonly quantityMicros: bigint;
}

export interface SpendWalk {
  readonly ok: true;
  /** Volume-weighted price, rounded up to the micro-dollar. */
  readonly priceMicros: bigint;
  /** Most expensive level reached. */
  readonly limitPriceMicros: bigint;
  /** The levels reached, the last one in part or whole. */
  readonly levels: readonly Level[];
}

export interface QuantityWalk {
  readonly ok: true;
  /** Volume-weighted price, rounded down to the micro-dollar. */
  readonly priceMicros: bigint;
  /** Cheapest level touched. */
  readonly limitPriceMicros: bigint;
  /** The levels touched, the last one in part or whole. */
  readonly levels: readonly Level[];
}

interface UsableBook {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** By the bids as they were given. Sides are never changed, only replaced, and many quotes are made on one book. */
const known = new WeakMap<readonly Level[], { readonly asksGiven: readonly Level[]; readonly book: UsableBook }>();

function usableBook(bids: readonly Level[], asks: readonly Level[]): UsableBook {
  const last = known.get(bids);
  if (last?.asksGiven === asks) {
    return last.book;
  }
  const book = makeUsable(bids, asks);
  known.set(bids, { asksGiven: asks, book });
  return book;
}

/**
 * The book with a crossed or locked pair of sides emptied, empty levels and prices of 0 and 1 dropped, best first.
 * Crossing is checked before 0 and 1 are dropped: a bid of 1 above any ask means that the book is broken.
 */
function makeUsable(bids: readonly Level[], asks: readonly Level[]): UsableBook {
  const liveBids = bids.filter(hasQuantity).sort((a, b) => compare(b.priceMicros, a.priceMicros));
  const liveAsks = asks.filter(hasQuantity).sort((a, b) => compare(a.priceMicros, b.priceMicros));
  const [bestBid, bestAsk] = [liveBids[0], liveAsks[0]];
  if (bestBid && bestAsk && bestAsk.priceMicros <= bestBid.priceMicros) {
    return { bids: [], asks: [] };
  }
  return { bids: liveBids.filter(isPrice), asks: liveAsks.filter(isPrice) };
}

/** The levels that a buy of `side` takes, cheapest first. `bids` and `asks` are of YES; NO asks are 1 less the YES bids. */
export function askLadder(side: Side, bids: readonly Level[], asks: readonly Level[]): readonly Level[] {
  const book = usableBook(bids, asks);
  return side === 'YES' ? book.asks : book.bids.map(complement);
}

/** The levels that a sell of `side` takes, highest price first. NO bids are 1 less the YES asks. */
export function bidLadder(side: Side, bids: readonly Level[], asks: readonly Level[]): readonly Level[] {
  const book = usableBook(bids, asks);
  return side === 'YES' ? book.bids : book.asks.map(complement);
}

/** Spends exactly `tradeMinor` cents down an ask ladder, or returns how many whole cents the ladder takes. */
export function walkSpend(ladder: readonly Level[], tradeMinor: bigint): SpendWalk | { ok: false; depthMinor: bigint } {
  const target = tradeMinor * CENT;
  let value = 0n;
  let quantity = 0n;
  for (const [place, level] of ladder.entries()) {
    const levelValue = level.priceMicros * level.quantityMicros;
    if (value + levelValue >= target) {
      // target / (quantity + rest / price), with the inner division multiplied away.
      const rest = target - value;
      const priceMicros = ceilDivide(target * level.priceMicros, quantity * level.priceMicros + rest);
      return { ok: true, priceMicros, limitPriceMicros: level.priceMicros, levels: ladder.slice(0, place + 1) };
    }
    value += levelValue;
    quantity += level.quantityMicros;
  }
  return { ok: false, depthMinor: value / CENT };
}

/** Sells exactly `quantityMicros` down a bid ladder, or returns how much the ladder takes. */
export function walkQuantity(
  ladder: readonly Level[],
  quantityMicros: bigint,
): QuantityWalk | { ok: false; depthMicros: bigint } {
  let value = 0n;
  let quantity = 0n;
  for (const [place, level] of ladder.entries()) {
    const taken = min(level.quantityMicros, quantityMicros - quantity);
    value += level.priceMicros * taken;
    quantity += taken;
    if (quantity === quantityMicros) {
      const levels = ladder.slice(0, place + 1);
      return { ok: true, priceMicros: value / quantity, limitPriceMicros: level.priceMicros, levels };
    }
  }
  return { ok: false, depthMicros: quantity };
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function hasQuantity(level: Level): boolean {
  return level.quantityMicros > 0n && level.priceMicros >= 0n && level.priceMicros <= ONE_DOLLAR_MICROS;
}

function isPrice(level: Level): boolean {
  return level.priceMicros > 0n && level.priceMicros < ONE_DOLLAR_MICROS;
}

function complement(level: Level): Level {
  return { priceMicros: ONE_DOLLAR_MICROS - level.priceMicros, quantityMicros: level.quantityMicros };
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The price display rules (specification "Price display rules"): what a contract publishes as reference and as
 * executable price. Pure integer rules over micro-dollars; it renders no JSON and sizes no trade.
 */

import type { Level } from '../../money/book.ts';
import { takerFee } from '../../money/live-plan.ts';
import { ONE_DOLLAR_MICROS } from '../../money/units.ts';
import type { BoardContract, Book, FeedKind } from '../contract.ts';

const MICROS_PER_CENT = 10_000;

export type PriceBasis = 'midpoint' | 'last' | 'source' | 'none';

/** What a contract publishes. Cents are not rounded (57.45), and null if there is no price to show. */
export interface PublishedPrice {
  /** The reference price, 0 to 1. */
  readonly probability: number | null;
  readonly yesCents: number | null;
  readonly noCents: number | null;
  /** The cost of a buy of YES: the ask. Null means no price; it is never replaced by the reference. */
  readonly executableYesCents: number | null;
  /** The cost of a buy of NO: one dollar minus the bid. */
  readonly executableNoCents: number | null;
  readonly spreadCents: number | null;
  /** True exactly if either executable price is non-null. */
  readonly tradable: boolean;
  readonly tradingClosed: boolean;
  readonly priceBasis: PriceBasis;
  readonly priceUpdatedAt: Date;
  readonly priceFeed: FeedKind;
}

/** The best bid and ask, strictly between 0 and 1 dollar, or null. */
interface Touch {
  readonly bidMicros: bigint | null;
  readonly askMicros: bigint | null;
}

function isPublishable(priceMicros: bigint): boolean {
  return priceMicros > 0n && priceMicros < ONE_DOLLAR_MICROS;
}

/**
 * Reduces a venue's raw ladders to usable levels, best first: levels at 0 or 1 or without size are dropped, and a book
 * whose ask is at or below its bid loses both sides.
 */
export function usableLadders(
  bids: readonly Level[],
  asks: readonly Level[],
): { bids: Level[]; asks: Level[]; crossed: boolean } {
  const usable = (level: Level) => isPublishable(level.priceMicros) && level.quantityMicros > 0n;
  const cleanBids = bids.filter(usable).sort((a, b) => compare(b.priceMicros, a.priceMicros));
  const cleanAsks = asks.filter(usable).sort((a, b) => compare(a.priceMicros, b.priceMicros));
  const bid = highest(bids);
  const ask = lowest(asks);
  // Checked on what the venue sent, so that an ask at 0 below a bid discards the bid as well.
  if (bid !== null && ask !== null && ask <= bid) {
    return { bids: [], asks: [], crossed: true };
  }
  return { bids: cleanBids, asks: cleanAsks, crossed: false };
}

function highest(levels: readonly Level[]): bigint | null {
  return levels.reduce<bigint | null>(
    (best, level) =>
      level.quantityMicros > 0n && (best === null || level.priceMicros > best) ? level.priceMicros : best,
    null,
  );
}

function lowest(levels: readonly Level[]): bigint | null {
  return levels.reduce<bigint | null>(
    (best, level) =>
      level.quantityMicros > 0n && (best === null || level.priceMicros < best) ? level.priceMicros : best,
    null,
  );
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The book of its own primary listing: without a match, those of other contracts say nothing of this one. */
function primaryBook({ books }: Pick<BoardContract, 'books'>): Book | undefined {
  return books.find(({ matched }) => !matched);
}

/** The best prices of a book after `usableLadders`. */
function touchOf(book: Pick<Book, 'bids' | 'asks'> | undefined): Touch {
  return { bidMicros: book?.bids[0]?.priceMicros ?? null, askMicros: book?.asks[0]?.priceMicros ?? null };
}

/**
 * The best prices to show: those of the primary listing, or of all listings if a person verified that they are one
 * contract. Each side equals what a quote would give, so the venue's own fee decides between venues, and the bid of one
 * venue may reach the ask of another.
 */
function executableTouch(contract: Pick<BoardContract, 'books' | 'routable'>): Touch {
  if (!contract.routable) {
    return touchOf(primaryBook(contract));
  }
  const noMicros = cheapest(contract.books, ({ bidMicros }) =>
    bidMicros === null ? null : ONE_DOLLAR_MICROS - bidMicros,
  );
  return {
    askMicros: cheapest(contract.books, ({ askMicros }) => askMicros),
    bidMicros: noMicros === null ? null : ONE_DOLLAR_MICROS - noMicros,
  };
}

/** The price at the venue where a contract costs least including the fee; among equals the first, as in a quote. */
function cheapest(books: readonly Book[], priceOf: (touch: Touch) => bigint | null): bigint | null {
  let best: { price: bigint; cost: bigint } | null = null;
  for (const book of books) {
    const price = priceOf(touchOf(book));
    if (price === null) {
      continue;
    }
    const cost = price * ONE_DOLLAR_MICROS + takerFee(book.fee)(price, ONE_DOLLAR_MICROS);
    if (best === null || cost < best.cost) {
      best = { price, cost };
    }
  }
  return best?.price ?? null;
}

/** The best bid and ask for the midpoint: those of the primary listing, or of all listings if it has not both. */
function referenceTouch(contract: Pick<BoardContract, 'books' | 'routable'>): Touch {
  const primary = touchOf(primaryBook(contract));
  if (!contract.routable || (primary.bidMicros !== null && primary.askMicros !== null)) {
    return primary;
  }
  const { bids, asks } = usableLadders(
    contract.books.flatMap((book) => book.bids.slice(0, 1)),
    contract.books.flatMap((book) => book.asks.slice(0, 1)),
  );
  return touchOf({ bids, asks });
}

export type PricedContract = Pick<
  BoardContract,
  | 'books'
  | 'routable'
  | 'fiveMinute'
  | 'status'
  | 'tradingClosed'
  | 'closesAt'
  | 'lastPriceMicros'
  | 'sourcePriceMicros'
  | 'updatedAt'
>;

/** @param now trading is closed from `closesAt` on, whatever the status is */
export function publishedPrice(contract: PricedContract, now: Date): PublishedPrice {
  const primary = primaryBook(contract);
  const tradingClosed = contract.tradingClosed || contract.status !== 'open' || contract.closesAt <= now;
  const reference = referencePrice(contract);
  const { bidMicros, askMicros } =
    contract.fiveMinute || tradingClosed ? { bidMicros: null, askMicros: null } : executableTouch(contract);
  // Sides of two venues may overlap; there is no spread then.
  const spread = bidMicros === null || askMicros === null || askMicros <= bidMicros ? null : askMicros - bidMicros;
  return {
    probability: reference.halfMicros === null ? null : reference.halfMicros / (2 * Number(ONE_DOLLAR_MICROS)),
    yesCents: reference.halfMicros === null ? null : reference.halfMicros / (2 * MICROS_PER_CENT),
    noCents:
      reference.halfMicros === null
        ? null
        : (2 * Number(ONE_DOLLAR_MICROS) - reference.halfMicros) / (2 * MICROS_PER_CENT),
    executableYesCents: askMicros === null ? null : centsOf(askMicros),
    executableNoCents: bidMicros === null ? null : centsOf(ONE_DOLLAR_MICROS - bidMicros),
    spreadCents: spread === null ? null : centsOf(spread),
    tradable: bidMicros !== null || askMicros !== null,
    tradingClosed,
    priceBasis: reference.basis,
    priceUpdatedAt: primary?.updatedAt ?? contract.updatedAt,
    priceFeed: primary?.feed ?? 'rest',
  };
}

/** The reference in half micro-dollars, so that a midpoint of two prices in micro-dollars is exact. */
export function referencePrice(
  contract: Pick<BoardContract, 'books' | 'routable' | 'lastPriceMicros' | 'sourcePriceMicros'>,
): {
  readonly halfMicros: number | null;
  readonly basis: PriceBasis;
} {
  const { bidMicros, askMicros } = referenceTouch(contract);
  if (bidMicros !== null && askMicros !== null) {
    return { halfMicros: Number(bidMicros + askMicros), basis: 'midpoint' };
  }
  if (contract.lastPriceMicros !== null && isPublishable(contract.lastPriceMicros)) {
    return { halfMicros: Number(contract.lastPriceMicros * 2n), basis: 'last' };
  }
  if (contract.sourcePriceMicros !== null && isPublishable(contract.sourcePriceMicros)) {
    return { halfMicros: Number(contract.sourcePriceMicros * 2n), basis: 'source' };
  }
  return { halfMicros: null, basis: 'none' };
}

/** Micro-dollars as unrounded cents: one division of integers, so 574500 becomes 57.45. */
function centsOf(priceMicros: bigint): number {
  return Number(priceMicros) / MICROS_PER_CENT;
}

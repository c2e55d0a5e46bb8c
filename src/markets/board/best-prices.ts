/**
 * The best prices of a contract: usable levels of its books, the cost of a trade on each side, and the bid and ask of the reference. Pure
 * integer rules over micro-dollars; `price-rules.ts` decides which prices are published.
 */
import type { Level } from '../../money/book.ts';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { takerFee } from '../../money/live-plan.ts';
import type { BoardContract, Book } from '../event.ts';

/** The best bid and ask, strictly between 0 and 1 dollar, or null. */
export interface Touch {
  readonly bidMicros: bigint | null;
  readonly askMicros: bigint | null;
}

export const NO_TOUCH: Touch = { bidMicros: null, askMicros: null };

export function isPublishable(priceMicros: bigint): boolean {
  return priceMicros > 0n && priceMicros < ONE_DOLLAR_MICROS;
}

/**
 * Reduces the ladders of a venue to usable levels, best first. Levels at 0 or 1 dollar or without size are dropped. A
 * book whose ask is at or below its bid loses both sides.
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
  // The raw ladders are compared, so that an ask at 0 below a bid discards the bid as well.
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

/** The book of the primary listing of the contract itself, not of a contract that was matched with it. */
export function primaryBook({ books }: Pick<BoardContract, 'books'>): Book | undefined {
  return books.find(({ matched }) => !matched);
}

/** The books that a trade may use: all those of a verified group, else that of the primary listing alone. */
export function executableBooks(contract: Pick<BoardContract, 'books' | 'routable'>): readonly Book[] {
  return contract.routable ? contract.books : contract.books.filter(({ matched }) => !matched).slice(0, 1);
}

/** The best prices of a book after `usableLadders`. */
function touchOf(book: Pick<Book, 'bids' | 'asks'> | undefined): Touch {
  return { bidMicros: book?.bids[0]?.priceMicros ?? null, askMicros: book?.asks[0]?.priceMicros ?? null };
}

/**
 * The best prices to show: those of the primary listing, or of all listings if a support person verified that they are one contract. Each
 * side equals the price of a quote, so fees count when venues are compared, and the bid of one venue may reach the ask of another.
 */
export function executableTouch(contract: Pick<BoardContract, 'books' | 'routable'>): Touch {
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

/**
 * The price at the venue where a contract costs least including the fee. Among equal costs the first venue wins, as in
 * a quote.
 */
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

/** The best bid and ask for the midpoint: those of the primary listing, or of all listings if it lacks one of them. */
export function referenceTouch(contract: Pick<BoardContract, 'books' | 'routable'>): Touch {
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

/**
 * The price display rules (contract chapter 3): the reference price and the executable prices that a contract publishes, and the worth of a
 * decided one. They are integer rules over micro-dollars. It renders no JSON and sizes no trade.
 */
import type { Resolution } from '../../core/terms.ts';
import { MICROS_PER_CENT, ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import {
  executableBooks,
  executableTouch,
  isPublishable,
  NO_TOUCH,
  primaryBook,
  referenceTouch,
  type Touch,
} from '../board/best-prices.ts';
import { areHalted, type HaltedVenues } from '../board/board-state.ts';
import { type BoardContract, type FeedKind, isTradingClosed } from '../event.ts';

type PriceBasis = 'midpoint' | 'last' | 'source' | 'none';

/** The prices that a contract publishes. Cents are not rounded (57.45). They are null if there is no price to show. */
export interface PublishedPrice {
  /** The reference price, 0 to 1; for a decided contract the worth of YES, null after VOID. */
  readonly probability: number | null;
  readonly yesCents: number | null;
  readonly noCents: number | null;
  /**
   * The cost of a buy of YES, which is the ask. Null means that there is no price; it is never replaced by the
   * reference.
   */
  readonly executableYesCents: number | null;
  /** The cost of a buy of NO, which is one dollar minus the bid. */
  readonly executableNoCents: number | null;
  readonly spreadCents: number | null;
  /** Whether there is an executable price. */
  readonly tradable: boolean;
  readonly tradingClosed: boolean;
  readonly priceBasis: PriceBasis;
  /** The time of the result, once there is one. */
  readonly priceUpdatedAt: Date;
  readonly priceFeed: FeedKind;
}

type ReferencedContract = Pick<
  BoardContract,
  'books' | 'routable' | 'lastPriceMicros' | 'sourcePriceMicros' | 'resolution' | 'splitYesMicros'
>;

export type PricedContract = ReferencedContract &
  Pick<BoardContract, 'fiveMinute' | 'status' | 'tradingClosed' | 'closesAt' | 'resolvedAt' | 'updatedAt'>;

/**
 * @param now decides whether trading is closed
 * @param halted venues whose books are not executable for the audience now
 */
export function publishedPrice(
  contract: PricedContract,
  now: Date,
  halted: HaltedVenues | null = null,
): PublishedPrice {
  const primary = primaryBook(contract);
  const tradingClosed = isTradingClosed(contract, now);
  const reference = referencePrice(contract);
  const { bidMicros, askMicros } =
    contract.fiveMinute || tradingClosed
      ? NO_TOUCH
      : halted === null
        ? executableTouch(contract)
        : touchBeside(contract, halted);
  // The sides of two venues may overlap. There is no spread then.
  const spread = bidMicros === null || askMicros === null || askMicros <= bidMicros ? null : askMicros - bidMicros;
  return {
    probability: reference.halfMicros === null ? null : reference.halfMicros / (2 * Number(ONE_DOLLAR_MICROS)),
    yesCents: reference.halfMicros === null ? null : reference.halfMicros / (2 * Number(MICROS_PER_CENT)),
    noCents:
      reference.halfMicros === null
        ? null
        : (2 * Number(ONE_DOLLAR_MICROS) - reference.halfMicros) / (2 * Number(MICROS_PER_CENT)),
    executableYesCents: askMicros === null ? null : centsOf(askMicros),
    executableNoCents: bidMicros === null ? null : centsOf(ONE_DOLLAR_MICROS - bidMicros),
    spreadCents: spread === null ? null : centsOf(spread),
    tradable: bidMicros !== null || askMicros !== null,
    tradingClosed,
    priceBasis: reference.basis,
    priceUpdatedAt: contract.resolvedAt ?? primary?.updatedAt ?? contract.updatedAt,
    priceFeed: primary?.feed ?? 'rest',
  };
}

/** The executable prices without the books of halted venues. */
function touchBeside(contract: PricedContract, halted: HaltedVenues): Touch {
  if (areHalted(executableBooks(contract), halted)) {
    return NO_TOUCH;
  }
  return executableTouch({ ...contract, books: contract.books.filter(({ venue }) => !halted.names.has(venue)) });
}

interface Reference {
  /** In half micro-dollars, so that a midpoint of two prices in micro-dollars is exact. */
  readonly halfMicros: number | null;
  readonly basis: PriceBasis;
}

/** The worth of YES once the contract is decided; until then a price that no executable price contradicts. */
export function referencePrice(contract: ReferencedContract): Reference {
  if (contract.resolution !== null) {
    const worth = yesWorth(contract.resolution, contract.splitYesMicros);
    return worth === null ? { halfMicros: null, basis: 'none' } : { halfMicros: Number(worth * 2n), basis: 'source' };
  }
  const { bidMicros, askMicros } = referenceTouch(contract);
  const touch = executableTouch(contract);
  if (bidMicros !== null && askMicros !== null) {
    return { halfMicros: Number(within(touch, bidMicros + askMicros)), basis: 'midpoint' };
  }
  if (contract.lastPriceMicros !== null && isPublishable(contract.lastPriceMicros)) {
    return { halfMicros: Number(within(touch, contract.lastPriceMicros * 2n)), basis: 'last' };
  }
  if (contract.sourcePriceMicros !== null && isPublishable(contract.sourcePriceMicros)) {
    return { halfMicros: Number(within(touch, contract.sourcePriceMicros * 2n)), basis: 'source' };
  }
  return { halfMicros: null, basis: 'none' };
}

/** @returns micro-dollars; null after VOID, when both sides get their cost back */
function yesWorth(resolution: Resolution, splitYesMicros: bigint | null): bigint | null {
  switch (resolution) {
    case 'YES':
      return ONE_DOLLAR_MICROS;
    case 'NO':
      return 0n;
    case 'SPLIT':
      return splitYesMicros;
    case 'VOID':
      return null;
  }
}

/**
 * The nearest price that is at least the bid and at most the ask. If the sides of two venues overlap, it is the nearest one between them.
 */
function within({ bidMicros, askMicros }: Touch, halfMicros: bigint): bigint {
  const overlap = bidMicros !== null && askMicros !== null && bidMicros > askMicros;
  const [low, high] = overlap ? [askMicros, bidMicros] : [bidMicros, askMicros];
  if (low !== null && halfMicros < low * 2n) {
    return low * 2n;
  }
  return high !== null && halfMicros > high * 2n ? high * 2n : halfMicros;
}

/** Micro-dollars as unrounded cents, by one division of integers, so that 574500 becomes 57.45. */
function centsOf(priceMicros: bigint): number {
  return Number(priceMicros) / Number(MICROS_PER_CENT);
}

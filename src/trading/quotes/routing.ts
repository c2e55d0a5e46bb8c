/**
 * Which books may price a quote or an order: the candidates of a contract, whether their venues can take an order now, and how fresh
 * their prices are. Pure.
 */
import { type Refusal, refuse } from '../../core/errors.ts';
import { executableBooks } from '../../markets/board/best-prices.ts';
import type { Board } from '../../markets/board/board.ts';
import type { BoardContract, Book } from '../../markets/event.ts';

export type RoutingReason = 'single_venue' | 'best_price' | 'unverified_group';

export interface Routing {
  readonly reason: RoutingReason;
  readonly consideredVenues: number;
  /** True only after a support person has verified that the listings are one contract. */
  readonly routable: boolean;
}

interface Candidates {
  readonly books: readonly Book[];
  readonly routing: Routing;
}

/** The books to price on, the primary venue's first: all of a verified group, otherwise only the primary venue's. */
export function candidateBooks(contract: BoardContract): Candidates {
  const several = contract.books.length > 1;
  if (several && contract.routable) {
    return {
      books: executableBooks(contract),
      routing: { reason: 'best_price', consideredVenues: contract.books.length, routable: true },
    };
  }
  return {
    books: executableBooks({ ...contract, routable: false }),
    routing: { reason: several ? 'unverified_group' : 'single_venue', consideredVenues: 1, routable: false },
  };
}

type Place = Pick<Book, 'venue' | 'part'>;

/**
 * Whether the venue can take an order in this market now, as far as the board knows.
 * @param stakeMicros stake of a buy in micro-dollars; 0 for a sell
 * @returns false while trading is stopped at the venue or on the market's part, or if our account there cannot pay the stake
 */
export function canTake(board: Board, place: Place, stakeMicros: bigint): boolean {
  const feed = board.feeds.get(place.venue);
  if (feed === undefined) {
    return true;
  }
  if (feed.stopped || partIsPaused(board, place)) {
    return false;
  }
  const { cashMicros, parts } = feed;
  // If a venue lists its parts, our account has nothing on a part that is not in the list.
  const cash = place.part === null || parts.size === 0 ? cashMicros : (parts.get(place.part)?.cashMicros ?? 0n);
  return cash === null || cash >= stakeMicros;
}

/** Whether the venue has paused trading on the part to which the market belongs. */
export function partIsPaused(board: Board, { venue, part }: Place): boolean {
  return part !== null && board.feeds.get(venue)?.parts.get(part)?.paused === true;
}

const LIVE_SECONDS = 5;
const RECENT_SECONDS = 30;
const AGED_SECONDS = 120;
const AGED_STAKE_LIMIT_MINOR = 10_000n;

export interface Freshness {
  readonly level: 'live' | 'recent' | 'aged';
  readonly ageSeconds: number;
  readonly feed: Book['feed'];
}

/**
 * How fresh a price is (contract 3.10). A price whose feed is down is never `live`, however recently it was confirmed.
 * @param stakeMinor stake of a buy in cents; 0 for a sell
 * @returns the freshness, or the refusal: price_stale, or stake_exceeds_stale_limit for a large stake on an aged price
 */
export function classifyFreshness(
  board: Pick<Board, 'ageSeconds' | 'isConnected'>,
  contract: BoardContract,
  book: Pick<Book, 'venue' | 'feed'>,
  stakeMinor: bigint,
  now: Date,
): { freshness: Freshness } | { refusal: Refusal } {
  const ageSeconds = board.ageSeconds(contract, book.venue, now);
  if (ageSeconds > AGED_SECONDS) {
    return { refusal: refuse('price_stale') };
  }
  const level =
    ageSeconds <= LIVE_SECONDS && board.isConnected(book.venue)
      ? 'live'
      : ageSeconds <= RECENT_SECONDS
        ? 'recent'
        : 'aged';
  if (level === 'aged' && stakeMinor > AGED_STAKE_LIMIT_MINOR) {
    return {
      refusal: refuse('stake_exceeds_stale_limit', undefined, { maxStake: Number(AGED_STAKE_LIMIT_MINOR) / 100 }),
    };
  }
  return { freshness: { level, ageSeconds: Math.round(ageSeconds * 1000) / 1000, feed: book.feed } };
}

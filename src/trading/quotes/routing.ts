/** Which venue's book prices a quote, and how it was chosen. It exposes no venue name. */
import { type Refusal, refuse } from '../../core/errors.ts';
import { executableBooks } from '../../markets/board/best-prices.ts';
import type { Board } from '../../markets/board/board.ts';
import type { BoardContract, Book } from '../../markets/event.ts';

export type RoutingReason = 'single_venue' | 'best_price' | 'unverified_group';

export interface Routing {
  readonly reason: RoutingReason;
  readonly consideredVenues: number;
  /** Only once a person verified the listings as one contract. */
  readonly routable: boolean;
}

export interface Candidates {
  readonly books: readonly Book[];
  readonly routing: Routing;
}

/** The books to price against, the primary venue's first: all of a verified group, else the primary's own alone. */
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

// Whether a venue can take an order in one of its markets now, as far as the board knows. Pure.

type Place = Pick<Book, 'venue' | 'part'>;

/** @returns false while trading has stopped at the venue or on the market's part, or our account there cannot pay the stake */
export function canTake(board: Board, place: Place, stakeMicros: bigint): boolean {
  const feed = board.feeds.get(place.venue);
  if (feed === undefined) {
    return true;
  }
  if (feed.stopped || partIsPaused(board, place)) {
    return false;
  }
  const { cashMicros, parts } = feed;
  // a venue that lists parts has nothing on one that it leaves out
  const cash = place.part === null || parts.size === 0 ? cashMicros : (parts.get(place.part)?.cashMicros ?? 0n);
  return cash === null || cash >= stakeMicros;
}

/** Whether the venue takes no orders now on the part where the market lives. */
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
 * How fresh a price is (contract 3.10), and the refusal of a price that is too old.
 *
 * A price whose feed is down is never `live`, however recently it was confirmed.
 * @param stakeMinor of a buy in cents; a sell passes zero.
 * @returns the freshness, or the refusal: price_stale, or stake_exceeds_stale_limit for a large stake on an aged price.
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

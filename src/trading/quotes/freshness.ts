/** How fresh a price is (contract 3.10), and the refusal of a price that is too old. */
import { type Refusal, refuse } from '../../core/errors.ts';
import type { Board } from '../../markets/board/board.ts';
import type { BoardContract, Book } from '../../markets/event.ts';

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

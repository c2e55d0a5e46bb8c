/** Whether a venue can take an order in one of its markets now, as far as the board knows. Pure. */
import type { Board } from '../../markets/board/board.ts';
import type { Book } from '../../markets/event.ts';

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

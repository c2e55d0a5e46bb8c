/**
 * Venues that trade and to which nothing may be sent now: trading there has stopped, or our sends have been held back for some
 * time (contract 19.5). What only they trade is shown to live operators without executable prices. Pure.
 */
import type { VenueFeed } from '../board/board-state.ts';
import type { Book } from '../contract.ts';

export interface HaltedVenues {
  /** Equal for equal sets of venues. */
  readonly key: string;
  readonly names: ReadonlySet<string>;
  /** Whether orders can be sent to a venue at all. */
  readonly trades: (venue: string) => boolean;
}

/** @returns null if there are none. */
export function readHaltedVenues(
  feeds: ReadonlyMap<string, VenueFeed>,
  trades: (venue: string) => boolean,
): HaltedVenues | null {
  const names = [...feeds.values()].flatMap(({ venue, stopped }) => (stopped && trades(venue) ? [venue] : [])).sort();
  return names.length === 0 ? null : { key: names.join(), names: new Set(names), trades };
}

/** Whether none of the venues that trade on these books may be sent to. Books of read-only venues alone are never halted. */
export function areHalted(books: readonly Book[], { names, trades }: HaltedVenues): boolean {
  const trading = books.filter(({ venue }) => trades(venue));
  return trading.length > 0 && trading.every(({ venue }) => names.has(venue));
}

/** Whether another clock, of the database or of a venue, is known to agree with the clock of this process. */
import { type Clock, type ClockOffset, offsetNow, type Ticks } from '../../core/time.ts';

/** A reading of a clock that is older says nothing any more. */
export const DATABASE_GOOD_MS = 10_000;
export const VENUE_GOOD_MS = 30_000;
const MOST_SKEW_MS = 2_000;

export interface Clocks {
  readonly clock: Clock;
  readonly ticks: Ticks;
}

/**
 * @param offset what was measured last; undefined if it never was.
 * @param goodMs how long that is good for, in milliseconds.
 */
export function agrees(offset: ClockOffset | undefined, goodMs: number, clocks: Clocks): boolean {
  return (
    offset !== undefined &&
    clocks.ticks() - offset.tick < goodMs &&
    offset.errorMs < MOST_SKEW_MS &&
    Math.abs(offsetNow(offset, clocks)) - offset.errorMs <= MOST_SKEW_MS
  );
}

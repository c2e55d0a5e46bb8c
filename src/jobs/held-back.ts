/**
 * Whether this worker's sends to a venue are held back: nothing could be sent for more than 15 seconds, and they have not flowed
 * for 15 seconds since (contract 19.5). It knows no venue.
 */
import type { Ticks } from '../core/time.ts';

const LONG_MS = 15_000;

export interface HeldBack {
  /**
   * Takes in why nothing can be sent now; null if it can.
   * @returns why sends are held back; null while they flow, or have not been held back for long
   */
  look(hindrance: string | null): string | null;
}

export function createHeldBack(ticks: Ticks): HeldBack {
  let because: string | null = null;
  /** Since when it is as it is now. */
  let since = ticks();
  let hindered = false;
  return {
    look(hindrance) {
      if ((hindrance !== null) !== hindered) {
        hindered = hindrance !== null;
        since = ticks();
      }
      if (ticks() - since >= LONG_MS) {
        because = hindrance;
      }
      return because;
    },
  };
}

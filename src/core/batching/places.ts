/** The places of calls that are in flight at once, and spare ones for when calls take long. */
import type { RunningCall } from './service-rate.ts';

export interface Places {
  /** Whether a call can be sent now. */
  readonly free: boolean;
  /** @param timed the same call for the measurement of the rate; it ends with its place */
  take(timed: RunningCall): { end(): void };
}

/** A call that takes longer than this gives its place to a spare one. Calls under overload take 70 to 220 ms. */
const SLOW_MS = 500;

/**
 * @param concurrency the maximum number of calls in flight at once
 * @param spareCalls calls that may be added while others take longer than half a second
 * @param freed called when a call has given its place away
 */
export function createPlaces(concurrency: number, spareCalls: number, freed: () => void): Places {
  let inFlight = 0;
  /** How many of them have given their place away. */
  let slow = 0;
  return {
    get free() {
      return inFlight - slow < concurrency;
    },
    take(timed) {
      inFlight += 1;
      let isSlow = false;
      const giveAway = () => {
        if (slow < spareCalls) {
          isSlow = true;
          slow += 1;
          timed.leaveOut();
          freed();
        }
      };
      const timer = spareCalls > 0 ? setTimeout(giveAway, SLOW_MS).unref() : undefined;
      return {
        end() {
          clearTimeout(timer);
          inFlight -= 1;
          slow -= isSlow ? 1 : 0;
          timed.end();
        },
      };
    },
  };
}

/** The places of calls that are in flight at once, and spare ones for when calls take long. */
import type { RunningCall } from './service-rate.ts';

export interface PlaceLimits {
  /** The maximum number of calls in flight at once. */
  readonly concurrency: number;
  /** Calls that may be added while others take longer than half a second. */
  readonly spareCalls: number;
  /** A call beside another one is for at least so many items, unless the last one was sent some time ago. */
  readonly fewestBeside: number;
}

export interface Places {
  /** Whether a call for so many items can be sent now. If it only has to wait for more of them, `freed` is called in time. */
  isFreeFor(waiting: number): boolean;
  /** @param timed the same call for the measurement of the rate; it ends with its place */
  take(timed: RunningCall): { end(): void };
}

/** A call that takes longer than this gives its place to a spare one. Calls under overload take 70 to 220 ms. */
const SLOW_MS = 500;
/** How long few items wait for a call that is in flight to end, or for more items. A call of a few orders takes 3 to 5 ms. */
const COMPANY_MS = 10;

/** @param freed called when a call has given its place away, or when few items have waited long enough */
export function createPlaces({ concurrency, spareCalls, fewestBeside }: PlaceLimits, freed: () => void): Places {
  let inFlight = 0;
  /** How many of them have given their place away. */
  let slow = 0;
  let lastTaken = Number.NEGATIVE_INFINITY;
  let company: NodeJS.Timeout | undefined;

  function awaitCompany(ms: number): void {
    if (company === undefined) {
      company = setTimeout(() => {
        company = undefined;
        freed();
      }, Math.ceil(ms)).unref();
    }
  }

  return {
    isFreeFor(waiting) {
      const running = inFlight - slow;
      if (running === 0 || running >= concurrency || waiting >= fewestBeside) {
        return running < concurrency;
      }
      const waitsMs = lastTaken + COMPANY_MS - performance.now();
      if (waitsMs > 0) {
        awaitCompany(waitsMs);
      }
      return waitsMs <= 0;
    },
    take(timed) {
      inFlight += 1;
      lastTaken = performance.now();
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

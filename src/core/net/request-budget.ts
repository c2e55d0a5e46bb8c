/**
 * How many requests may be sent to one receiver: a token bucket that refills steadily. A part is reserved for urgent
 * requests, so that the others cannot use up everything. It knows neither the receiver nor the requests.
 */
import type { Ticks } from '../clock.ts';

export interface RequestBudget {
  /**
   * @param urgent whether the reserved part may be used
   * @returns whether the request may be sent; it is then counted
   */
  spend(urgent: boolean): boolean;
  /** How many urgent requests could be sent now. */
  left(): number;
  /** Divides the budget among several processes that send to one receiver. */
  share(processes: number): void;
}

const KEPT = 0.3;

/** @param perSecond requests per second of all processes together; the requests of one second may be sent at once */
export function createRequestBudget(perSecond: number, ticks: Ticks): RequestBudget {
  let rate = perSecond;
  let left = perSecond;
  let at = ticks();

  function fill(): void {
    const now = ticks();
    left = Math.min(rate, left + ((now - at) / 1_000) * rate);
    at = now;
  }

  return {
    spend(urgent) {
      fill();
      if (left - 1 < (urgent ? 0 : rate * KEPT)) {
        return false;
      }
      left -= 1;
      return true;
    },
    left: () => {
      fill();
      return Math.floor(left);
    },
    share(processes) {
      fill();
      rate = perSecond / Math.max(1, processes);
      left = Math.min(left, rate);
    },
  };
}

/**
 * How many requests may still be made of one receiver: so many a second, filled up steadily. A part is kept for what must not
 * wait, so that the rest cannot starve it. It knows neither the receiver nor the requests.
 */
import type { Ticks } from '../clock.ts';

export interface RequestBudget {
  /** @param urgent may use the part that is kept. @returns whether it may be made now; it is then counted. */
  spend(urgent: boolean): boolean;
  /** How many urgent ones could be made now. */
  left(): number;
  /** A share of the whole, where several processes make requests of one receiver. */
  share(processes: number): void;
}

const KEPT = 0.3;

/** @param perSecond requests a second of all processes; one second's worth may be made at once. */
export function openRequestBudget(perSecond: number, ticks: Ticks): RequestBudget {
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

/**
 * A lease of a budget: requests of one caller that the database counted in advance, so that this process admits them
 * without asking it. It ends by this process's own clock before a change of the key or its operators can take effect.
 */
import { type RateWindow, windowOf } from '../rate-window.ts';

/** What was granted. Moments are those of `performance.now()`. */
export interface GrantedLease {
  /** The subject that is counted, and the tenant whose ceiling counts. */
  readonly subject: string;
  readonly tenant: string;
  /** The minute that is counted in, in seconds since 1970. */
  readonly minute: number;
  /** The end as the database states it, by which the lease is named when it is given back. */
  readonly end: string;
  readonly endsAt: number;
  readonly minuteEndsAt: number;
  /** Requests per minute. */
  readonly limit: number;
  /** What was counted in this minute before the first request of the lease. */
  readonly countedBefore: number;
  /** How many were counted in advance. */
  readonly requests: number;
}

export interface BudgetLease extends GrantedLease {
  /** How many of its requests were made. */
  readonly used: number;
  /** Takes one request. @returns the budget as that request sees it, or undefined if the lease has ended or is used up */
  take(now: number): RateWindow | undefined;
  /** One request that was taken is not counted after all. @returns false if none was */
  giveBack(): boolean;
}

export function createBudgetLease(granted: GrantedLease): BudgetLease {
  const { endsAt, minuteEndsAt, limit, countedBefore, requests } = granted;
  let used = 0;
  return {
    ...granted,
    get used() {
      return used;
    },
    take(now) {
      if (now >= endsAt || used >= requests) {
        return undefined;
      }
      used += 1;
      const resetSeconds = Math.max(1, Math.ceil((minuteEndsAt - now) / 1000));
      return windowOf(limit, countedBefore, used - 1, resetSeconds);
    },
    giveBack() {
      const wasTaken = used > 0;
      used -= wasTaken ? 1 : 0;
      return wasTaken;
    },
  };
}

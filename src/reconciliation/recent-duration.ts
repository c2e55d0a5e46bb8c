/** How long a kind of work took lately, so that a refusal can say when to try again. */

export interface RecentDuration {
  /** @param ms how long one has taken, in milliseconds */
  record(ms: number): void;
  /** @returns whole seconds until this many have ended, 1 to 60; 5 as long as none was recorded */
  secondsFor(turns: number): number;
}

const UNKNOWN_SECONDS = 5;
const LONGEST_SECONDS = 60;
/** How much of the mean each further one is. */
const SHARE = 0.2;

export function createRecentDuration(): RecentDuration {
  let meanMs: number | undefined;
  return {
    record(ms) {
      meanMs = meanMs === undefined ? ms : meanMs + (ms - meanMs) * SHARE;
    },
    secondsFor(turns) {
      return meanMs === undefined
        ? UNKNOWN_SECONDS
        : Math.min(Math.max(Math.ceil((meanMs * turns) / 1000), 1), LONGEST_SECONDS);
    },
  };
}

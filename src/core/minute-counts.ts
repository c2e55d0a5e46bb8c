/** Counts per subject in the current minute, kept in this process only; keys and anonymous addresses are metered by them. */

const MINUTE_MS = 60_000;
/** Further subjects of a minute share one count, so that the table stays small under a flood of addresses. */
const MOST_SUBJECTS = 50_000;

export interface MinuteCounts {
  /**
   * @param shared the name of the count that a subject shares with others if there are too many
   * @returns the count after the change
   */
  add(subject: string, shared: string, change?: number): number;
  /** Seconds until the minute ends; at least one. */
  secondsLeft(): number;
}

export function createMinuteCounts(now: () => number): MinuteCounts {
  let minute = 0;
  let counts = new Map<string, number>();
  return {
    add(subject, shared, change = 1) {
      const present = Math.floor(now() / MINUTE_MS);
      if (present !== minute) {
        minute = present;
        counts = new Map();
      }
      const key = counts.has(subject) || counts.size < MOST_SUBJECTS ? subject : shared;
      const count = Math.max(0, (counts.get(key) ?? 0) + change);
      counts.set(key, count);
      return count;
    },
    secondsLeft: () => Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - now()) / 1000)),
  };
}

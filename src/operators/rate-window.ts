/** What a counted request learns of its minute. The counting itself is `sql/functions/operators/count_requests.sql`. */

/** The budget of one subject (a key acting for one operator, an embed session, a client address) in this minute. */
export interface RateWindow {
  /** Requests a minute. */
  readonly limit: number;
  /** What is left after this request, never below zero. */
  readonly remaining: number;
  /** Seconds until the wall-clock minute of the database rolls, 1 to 60. */
  readonly resetSeconds: number;
}

/**
 * The window as the `index`-th request (from 0) of a group sees it.
 * @param countedBefore requests of the subject counted in this minute before the group.
 */
export function windowOf(limit: number, countedBefore: number, index: number, resetSeconds: number): RateWindow {
  return { limit, remaining: Math.max(0, limit - countedBefore - index - 1), resetSeconds };
}

/**
 * The state of the rate window of a counted request. The counting itself is in
 * `sql/functions/operators/count_budgets.sql`.
 */

/** The budget of one subject (a key that acts for one operator, an embed session, a client address) in this minute. */
export interface RateWindow {
  /** Requests per minute. */
  readonly limit: number;
  /** The number of requests left after this one, never below zero. */
  readonly remaining: number;
  /** Seconds until the next wall-clock minute of the database, 1 to 60. */
  readonly resetSeconds: number;
}

/**
 * The window as the request with index `index` (from 0) of a group sees it.
 * @param countedBefore requests of the subject that were counted in this minute before the group
 */
export function windowOf(limit: number, countedBefore: number, index: number, resetSeconds: number): RateWindow {
  return { limit, remaining: Math.max(0, limit - countedBefore - index - 1), resetSeconds };
}

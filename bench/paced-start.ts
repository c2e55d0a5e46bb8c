/** When a paced request starts, so that a request that waits behind a slow one counts from when it was due. */

/**
 * Waits until a request is due. Timers of Node fire up to a millisecond early, so the request may start before that.
 *
 * @param due milliseconds of `performance.now()`.
 * @returns the time from which to count: when it was due or started, whichever is earlier.
 */
export async function startAt(due: number): Promise<number> {
  const wait = due - performance.now();
  if (wait > 0) {
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return Math.min(due, performance.now());
}

/** When a paced request starts, so that a request that waits behind a slow one counts from when it was due; and a clock for all processes. */

/** Milliseconds of a clock that all processes of this machine share and that is never set, since it was started. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1_000_000;

/**
 * Waits until a request is due. Timers of Node fire up to a millisecond early, so the request may start before that.
 *
 * @param due milliseconds of `monotonicMs`.
 * @returns the time from which to count: when it was due or started, whichever is earlier.
 */
export async function startAt(due: number): Promise<number> {
  const wait = due - monotonicMs();
  if (wait > 0) {
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return Math.min(due, monotonicMs());
}

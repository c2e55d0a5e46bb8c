/** How long a request is worth serving: set when it arrives, and carried through every queue on its way to the database. */

/** Milliseconds of `performance.now()`. */
export interface Deadline {
  /** A request that is expected to leave a queue later than this is refused when it enters that queue. */
  readonly expectedBy: number;
  /** A request that still waits then is refused and was never part of a call. */
  readonly latest: number;
}

/**
 * A partner has given up on an order that is answered late, and its repetition costs as much again. The call itself and
 * its answer take the rest of a second.
 */
const EXPECTED_MS = 300;
const LATEST_MS = 10_000;

/**
 * @param arrivedAt when its bytes reached the process, at the earliest
 * @param readAt when the process read them
 */
export function deadlineOf(arrivedAt: number, readAt: number): Deadline {
  return { expectedBy: arrivedAt + EXPECTED_MS, latest: readAt + LATEST_MS };
}

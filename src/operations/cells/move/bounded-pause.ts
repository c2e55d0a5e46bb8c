/** Bounds how long an operator is paused. At the bound the work is given up; the caller ends its sessions and opens the old cell. */

/** The rest of the bound is for opening the old cell again. */
const SHARE_OF_WORK = 0.8;

export class PauseTooLong extends Error {
  constructor(maxPauseMs: number) {
    super(`the operator would have been paused for more than ${maxPauseMs / 1000} seconds`);
    this.name = 'PauseTooLong';
  }
}

/**
 * @param maxPauseMs the bound; work may take four fifths of it
 * @param work gets the milliseconds that it may take. Its sessions must be ended if it was given up
 * @throws PauseTooLong if the work did not end in time
 */
export async function withBoundedPause<A>(maxPauseMs: number, work: (mostMs: number) => Promise<A>): Promise<A> {
  const mostMs = maxPauseMs * SHARE_OF_WORK;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new PauseTooLong(maxPauseMs)), mostMs);
  try {
    return await Promise.race([work(mostMs), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

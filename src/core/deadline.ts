/**
 * Waiting that ends. A request of the service and its commands may hang, because a process is frozen or a table is locked; the caller then
 * continues without the result. Used by health, metrics, `doctor` and `top`.
 */

const TOO_LATE = Symbol('too late');

/**
 * Waits for work at most for some time. The work is not stopped; its later result is ignored.
 * @param ms milliseconds
 * @param late gives the result if the work takes longer
 * @throws the error of the work or of `late`
 */
export function within<T, L>(ms: number, work: Promise<T>, late: () => L | Promise<L>): Promise<T | L> {
  const { promise: tooLate, resolve } = Promise.withResolvers<typeof TOO_LATE>();
  const timer = setTimeout(resolve, ms, TOO_LATE);
  return Promise.race([work, tooLate])
    .then((answer) => (answer === TOO_LATE ? late() : answer))
    .finally(() => clearTimeout(timer));
}

/**
 * Reads for all callers that wait, once at a time: a read without a result is not repeated while it is pending, so that the callers take
 * one connection at most.
 * @param ms for how many milliseconds each caller waits
 * @param late gives the result of a caller that has waited so long
 */
export function shareReads<T>(read: () => Promise<T>, ms: number, late: () => T): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    return within(ms, pending, late);
  };
}

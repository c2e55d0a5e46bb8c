/**
 * Natural batching: what arrives while a call is in flight goes together into the next call. No timers, so an idle
 * caller waits for one round trip only. A call that fails as a whole is repeated item by item by `retryAlone`.
 */

export interface BatcherOptions<I> {
  /** The most items in one call. */
  readonly maxBatch: number;
  /** How many calls may be in flight at once. */
  readonly concurrency: number;
  /** Whether a failed call of several items is repeated item by item under the same ids. */
  readonly retryAlone?: boolean;
  /** Items of one lane are never in two calls at once: they would only wait for each other on the rows that they share. */
  readonly lane?: (item: I) => string;
}

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (output: O) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * @param flush takes the waiting items and answers one output for each, in their order.
 * @returns a function that hands in one item and resolves with its output, or rejects as its call did.
 */
export function createBatcher<I, O>(
  flush: (items: readonly I[]) => Promise<readonly O[]>,
  { maxBatch, concurrency, retryAlone = false, lane }: BatcherOptions<I>,
): (item: I) => Promise<O> {
  let queue: Waiting<I, O>[] = [];
  const busy = new Set<string>();
  let inFlight = 0;
  let planned = false;

  /** Calls, and tells what is to be said to those who wait once the next call is on its way. */
  async function call(batch: readonly Waiting<I, O>[]): Promise<() => void> {
    try {
      const outputs = await flush(batch.map((waiting) => waiting.item));
      if (outputs.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} was answered with ${outputs.length} outputs`);
      }
      return () => {
        for (const [index, waiting] of batch.entries()) {
          waiting.resolve(outputs[index] as O);
        }
      };
    } catch (error) {
      if (retryAlone && batch.length > 1) {
        for (const waiting of batch) {
          const answer = await call([waiting]);
          answer();
        }
        return () => undefined;
      }
      return () => rejectAll(batch, error);
    }
  }

  function rejectAll(batch: readonly Waiting<I, O>[], error: unknown): void {
    for (const waiting of batch) {
      waiting.reject(error);
    }
  }

  /** The longest waiting ones whose lane is free. */
  function take(): Waiting<I, O>[] {
    if (lane === undefined) {
      return queue.splice(0, maxBatch);
    }
    const batch: Waiting<I, O>[] = [];
    const left: Waiting<I, O>[] = [];
    for (const waiting of queue) {
      const goes = batch.length < maxBatch && !busy.has(lane(waiting.item));
      (goes ? batch : left).push(waiting);
    }
    queue = left;
    return batch;
  }

  function pump(): void {
    planned = false;
    while (inFlight < concurrency && queue.length > 0) {
      const batch = take();
      if (batch.length === 0) {
        return;
      }
      const lanes = lane === undefined ? [] : batch.map(({ item }) => lane(item));
      for (const one of lanes) {
        busy.add(one);
      }
      inFlight += 1;
      // the next call goes out before the answers of this one are worked on
      const ended = (answer: () => void) => {
        inFlight -= 1;
        for (const one of lanes) {
          busy.delete(one);
        }
        pump();
        answer();
      };
      call(batch).then(ended, (error: unknown) => ended(() => rejectAll(batch, error)));
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      // After the microtasks of this tick, so that requests parsed together go out together.
      if (!planned && inFlight < concurrency) {
        planned = true;
        setImmediate(pump);
      }
    });
}

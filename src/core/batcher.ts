/**
 * Natural batching: what arrives while a call is in flight goes together into the next call. No timers, so an idle
 * caller waits for one round trip only. A call that fails as a whole is repeated item by item by `retryAlone`.
 */

export interface BatcherOptions {
  /** The most items in one call. */
  readonly maxBatch: number;
  /** How many calls may be in flight at once. */
  readonly concurrency: number;
  /** Whether a failed call of several items is repeated item by item under the same ids. */
  readonly retryAlone?: boolean;
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
  { maxBatch, concurrency, retryAlone = false }: BatcherOptions,
): (item: I) => Promise<O> {
  const queue: Waiting<I, O>[] = [];
  let inFlight = 0;

  async function run(batch: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const outputs = await flush(batch.map((waiting) => waiting.item));
      if (outputs.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} was answered with ${outputs.length} outputs`);
      }
      for (const [index, waiting] of batch.entries()) {
        waiting.resolve(outputs[index] as O);
      }
    } catch (error) {
      if (retryAlone && batch.length > 1) {
        for (const waiting of batch) {
          await run([waiting]);
        }
        return;
      }
      for (const waiting of batch) {
        waiting.reject(error);
      }
    }
  }

  function pump(): void {
    while (inFlight < concurrency && queue.length > 0) {
      const batch = queue.splice(0, maxBatch);
      inFlight += 1;
      void run(batch).finally(() => {
        inFlight -= 1;
        pump();
      });
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      // After the microtasks of this tick, so that requests parsed together go out together.
      if (queue.length === 1) {
        setImmediate(pump);
      }
    });
}

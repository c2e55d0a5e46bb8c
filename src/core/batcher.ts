/**
 * Natural batching: items that arrive while a call is in flight are sent together in the next call. There is no
 * collection timer, so an item that arrives at an idle batcher waits for one round trip only. The queue is bounded: an
 * item that finds it full, or that waits too long in it, is refused with service_unavailable and was never part of a
 * call.
 */
import { refuse } from './errors.ts';
import { currentTrace, traced } from './telemetry/tracing.ts';

export interface BatcherOptions<I> {
  /** What a call is called in traces. */
  readonly name?: string;
  /** The maximum number of items in one call. */
  readonly maxBatch: number;
  /** The maximum number of calls in flight at once. */
  readonly concurrency: number;
  /** Whether the items of a failed call are sent again one by one, under the same ids. */
  readonly retryAlone?: boolean;
  /**
   * Items with the same key are never in two calls at once, because the calls would wait for each other's row locks.
   */
  readonly serialKey?: (item: I) => string;
  /** The maximum number of items that wait for a call. */
  readonly maxWaiting?: number;
  /** How long an item may wait for its call. */
  readonly waitMs?: number;
}

interface Waiting<I, O> {
  readonly item: I;
  readonly since: number;
  /** The request that it belongs to. */
  readonly trace: string | undefined;
  readonly resolve: (output: O) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_WAITING = 5_000;
const WAIT_MS = 5_000;
/**
 * A call that took longer than this is not repeated: it reached its deadline, and so would the repetitions. Whether it
 * was executed is unknown. The callers repeat their requests under the same ids.
 */
const RETRY_WITHIN_MS = 4_000;

/**
 * @param flush takes the waiting items and returns one output for each, in the same order. It must end by itself.
 * @returns a function that takes one item and resolves with its output, or rejects as its call did.
 */
export function createBatcher<I, O>(
  flush: (items: readonly I[]) => Promise<readonly O[]>,
  {
    name = 'batch',
    maxBatch,
    concurrency,
    retryAlone = false,
    serialKey,
    maxWaiting = MAX_WAITING,
    waitMs = WAIT_MS,
  }: BatcherOptions<I>,
): (item: I) => Promise<O> {
  let queue: Waiting<I, O>[] = [];
  const busy = new Set<string>();
  let inFlight = 0;
  let planned = false;
  let expiry: NodeJS.Timeout | undefined;

  /** @returns the work that remains for the waiting callers once the next call has been sent. */
  async function call(batch: readonly Waiting<I, O>[], started: number): Promise<() => void> {
    try {
      const outputs = await tracedCall(
        name,
        batch.map(({ trace }) => trace),
        () => flush(batch.map((waiting) => waiting.item)),
      );
      if (outputs.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} returned ${outputs.length} outputs`);
      }
      return () => {
        for (const [index, waiting] of batch.entries()) {
          waiting.resolve(outputs[index] as O);
        }
      };
    } catch (error) {
      if (!retryAlone || batch.length === 1) {
        return () => rejectAll(batch, error);
      }
      for (const waiting of batch) {
        if (performance.now() - started > RETRY_WITHIN_MS) {
          waiting.reject(error);
        } else {
          const answer = await call([waiting], started);
          answer();
        }
      }
      return () => undefined;
    }
  }

  function rejectAll(batch: readonly Waiting<I, O>[], error: unknown): void {
    for (const waiting of batch) {
      waiting.reject(error);
    }
  }

  /** The items that have waited longest and whose key is free. */
  function take(): Waiting<I, O>[] {
    if (serialKey === undefined) {
      return queue.splice(0, maxBatch);
    }
    const batch: Waiting<I, O>[] = [];
    const left: Waiting<I, O>[] = [];
    for (const waiting of queue) {
      const goes = batch.length < maxBatch && !busy.has(serialKey(waiting.item));
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
        break;
      }
      const keys = serialKey === undefined ? [] : batch.map(({ item }) => serialKey(item));
      for (const one of keys) {
        busy.add(one);
      }
      inFlight += 1;
      // the next call is sent before the outputs of this one are processed
      const ended = (answer: () => void) => {
        inFlight -= 1;
        for (const one of keys) {
          busy.delete(one);
        }
        pump();
        answer();
      };
      call(batch, performance.now()).then(ended, (error: unknown) => ended(() => rejectAll(batch, error)));
    }
    watch();
  }

  /** Refuses items that waited too long. One timer runs while any item waits. */
  function expire(): void {
    expiry = undefined;
    const oldest = performance.now() - waitMs;
    rejectAll(
      queue.filter(({ since }) => since <= oldest),
      refuse('service_unavailable'),
    );
    queue = queue.filter(({ since }) => since > oldest);
    watch();
  }

  function watch(): void {
    const first = queue[0];
    if (expiry === undefined && first !== undefined) {
      expiry = setTimeout(expire, Math.max(first.since + waitMs - performance.now(), 1)).unref();
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      if (queue.length >= maxWaiting) {
        reject(refuse('service_unavailable'));
        return;
      }
      queue.push({ item, since: performance.now(), trace: currentTrace(), resolve, reject });
      // After the microtasks of this tick, so that requests parsed together are sent together.
      if (inFlight < concurrency) {
        if (!planned) {
          planned = true;
          setImmediate(pump);
        }
      } else {
        watch();
      }
    });
}

/** A call is a child of the request that waited longest, and linked to the others. */
function tracedCall<T>(name: string, traces: readonly (string | undefined)[], work: () => Promise<T>): Promise<T> {
  const [parent, ...links] = traces.filter((trace) => trace !== undefined);
  return parent === undefined
    ? work()
    : traced(name, { parent, links, facts: { 'inlay.batch_size': traces.length } }, work);
}

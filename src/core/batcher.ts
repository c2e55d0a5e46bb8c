/**
 * Natural batching: items that arrive while a call is in flight are sent together in the next call. There is no
 * collection timer, so an item that arrives at an idle batcher waits for one round trip only. `fair-queue.ts` bounds how
 * many items wait; a batcher refuses an item only if calls do not end, because the database does not answer.
 */
import { refuse } from './errors.ts';
import { currentTrace, traced } from './tracing.ts';

export interface BatcherOptions<I> {
  /** The name of a call in traces. */
  readonly name?: string;
  /** The maximum number of items in one call. */
  readonly maxBatch: number;
  /** The maximum number of calls in flight at once. */
  readonly concurrency: number;
  /**
   * The number of calls that may be added while others take longer than half a second, so that a row that another session
   * has locked delays only the items of its own call. Default: none.
   */
  readonly spareCalls?: number;
  /**
   * A second call is sent only for at least this many items, or 10 ms after the first one. At a low rate two calls at once
   * would each be half as full, and most of a call's cost does not depend on the number of its items. Default: 1.
   */
  readonly fewestBeside?: number;
  /** Whether the items of a failed call are sent again one by one, under the same ids. A function decides by the error. */
  readonly retryAlone?: boolean | ((error: unknown) => boolean);
  /**
   * Items of one group are never in two calls at once, because the calls would wait for each other's row locks. A call takes
   * as many items of a group as it can. Default: any items may be in any call.
   */
  readonly groupOf?: (item: I) => string;
  /** A call takes at most one item per key. Other items with that key and group wait until it has ended. Default: any number. */
  readonly keyOf?: (item: I) => string;
  /** An item that has waited this long when a call ends is refused with service_unavailable. It was never part of a call. */
  readonly waitMs?: number;
}

/** Resolves with the item's output, or rejects as its call did. */
export type Batcher<I, O> = (item: I) => Promise<O>;

interface Waiting<I, O> {
  readonly item: I;
  readonly since: number;
  /** The request that it belongs to. */
  readonly trace: string | undefined;
  readonly resolve: (output: O) => void;
  readonly reject: (error: unknown) => void;
}

const WAIT_MS = 5_000;
/** A call that takes longer than this gives its place to a spare one. Calls under overload take 70 to 220 ms. */
const SLOW_MS = 500;
/** How long a few items wait until the call in flight ends or more items arrive. A call of a few orders takes 3 to 5 ms. */
const COMPANY_MS = 10;
/**
 * A call that took longer than this is not repeated: it reached its deadline, and so would the repetitions. Whether it
 * was executed is unknown. The callers repeat their requests under the same ids.
 */
const RETRY_WITHIN_MS = 4_000;

/** @param flush takes the waiting items and returns one output per item, in the same order. It must end by itself. */
export function createBatcher<I, O>(
  flush: (items: readonly I[]) => Promise<readonly O[]>,
  {
    name = 'batch',
    maxBatch,
    concurrency,
    spareCalls = 0,
    fewestBeside = 1,
    retryAlone = false,
    groupOf,
    keyOf,
    waitMs = WAIT_MS,
  }: BatcherOptions<I>,
): Batcher<I, O> {
  /** By group, those that have waited longest first. */
  const groups = new Map<string, Waiting<I, O>[]>();
  let length = 0;
  const busy = new Set<string>();
  let inFlight = 0;
  /** How many of them have given their place to a spare call. */
  let slow = 0;
  let lastSent = Number.NEGATIVE_INFINITY;
  let company: NodeJS.Timeout | undefined;
  let planned = false;

  /** Whether a call for the waiting items can be sent now. If it must wait for more items, a timer calls `pump`. */
  function maySend(): boolean {
    const running = inFlight - slow;
    if (running === 0 || running >= concurrency || length >= fewestBeside) {
      return running < concurrency;
    }
    const waitsMs = lastSent + COMPANY_MS - performance.now();
    if (waitsMs > 0 && company === undefined) {
      company = setTimeout(() => {
        company = undefined;
        pump();
      }, Math.ceil(waitsMs)).unref();
    }
    return waitsMs <= 0;
  }

  /** Takes the items of the next call: whole groups, because a call with fewer groups locks fewer rows. */
  function takeBatch(): Waiting<I, O>[] {
    const batch = new Map<unknown, Waiting<I, O>>();
    for (const [group, waiting] of [...groups]) {
      if (batch.size === maxBatch) {
        break;
      }
      if (busy.has(group)) {
        continue;
      }
      const rest = waiting.filter((one) => {
        const key = keyOf?.(one.item) ?? one;
        const isTaken = batch.size < maxBatch && !batch.has(key);
        if (isTaken) {
          batch.set(key, one);
        }
        return !isTaken;
      });
      groups.delete(group);
      if (rest.length > 0) {
        groups.set(group, rest);
      }
      if (groupOf !== undefined) {
        busy.add(group);
      }
    }
    length -= batch.size;
    return [...batch.values()];
  }

  function pump(): void {
    planned = false;
    while (length > 0 && maySend()) {
      const batch = takeBatch();
      if (batch.length === 0) {
        return;
      }
      inFlight += 1;
      lastSent = performance.now();
      let isSlow = false;
      const giveAway = () => {
        if (slow < spareCalls) {
          isSlow = true;
          slow += 1;
          pump();
        }
      };
      const timer = spareCalls > 0 ? setTimeout(giveAway, SLOW_MS).unref() : undefined;
      call(batch, lastSent).then((answer) => {
        clearTimeout(timer);
        inFlight -= 1;
        slow -= isSlow ? 1 : 0;
        for (const { item } of batch) {
          busy.delete(groupOf?.(item) ?? '');
        }
        refuseLate();
        // the next call is sent before the outputs of this one are processed
        pump();
        answer();
      });
    }
  }

  /** @returns the work that remains for the waiting callers once the next call has been sent. It never rejects. */
  async function call(batch: readonly Waiting<I, O>[], started: number): Promise<() => void> {
    try {
      const outputs = await tracedCall(
        name,
        batch.map(({ trace }) => trace),
        () => flush(batch.map(({ item }) => item)),
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
      const repeats = typeof retryAlone === 'function' ? retryAlone(error) : retryAlone;
      if (!repeats || batch.length === 1) {
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

  function refuseLate(): void {
    const latest = performance.now() - waitMs;
    for (const [group, waiting] of groups) {
      const late = waiting.filter(({ since }) => since <= latest);
      if (late.length > 0) {
        length -= late.length;
        rejectAll(late, refuse('service_unavailable'));
        const rest = waiting.slice(late.length);
        if (rest.length > 0) {
          groups.set(group, rest);
        } else {
          groups.delete(group);
        }
      }
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      const group = groupOf?.(item) ?? '';
      const waiting = groups.get(group);
      const one = { item, since: performance.now(), trace: currentTrace(), resolve, reject };
      if (waiting === undefined) {
        groups.set(group, [one]);
      } else {
        waiting.push(one);
      }
      length += 1;
      // After the microtasks of this tick, so that requests parsed together are sent together.
      if (!planned && maySend()) {
        planned = true;
        setImmediate(pump);
      }
    });
}

function rejectAll(batch: readonly Pick<Waiting<never, never>, 'reject'>[], error: unknown): void {
  for (const { reject } of batch) {
    reject(error);
  }
}

/** A call is a child of the request that waited longest, and linked to the others. */
function tracedCall<T>(name: string, traces: readonly (string | undefined)[], work: () => Promise<T>): Promise<T> {
  const [parent, ...links] = traces.filter((trace) => trace !== undefined);
  return parent === undefined
    ? work()
    : traced(name, { parent, links, facts: { 'inlay.batch_size': traces.length } }, work);
}

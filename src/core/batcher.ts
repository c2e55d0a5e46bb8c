/**
 * Natural batching: items that arrive while a call is in flight are sent together in the next call. There is no
 * collection timer, so an item that arrives at an idle batcher waits for one round trip only. The queue is bounded: an
 * item that finds it full, that cannot be served by its deadline, or that waits too long in it, is refused with
 * service_unavailable and was never part of a call.
 */
import type { Deadline } from './batching/deadline.ts';
import { createExpiry } from './batching/expiry.ts';
import { createFairQueue } from './batching/fair-queue.ts';
import { createKeptTurns } from './batching/kept-turns.ts';
import { createPlaces } from './batching/places.ts';
import { createServiceRate } from './batching/service-rate.ts';
import { type Refusal, refuse } from './errors.ts';
import { currentTrace, traced } from './telemetry/tracing.ts';

export interface BatcherOptions<I> {
  /** What a call is called in traces. */
  readonly name?: string;
  /** The maximum number of items in one call. */
  readonly maxBatch: number;
  /** The maximum number of calls in flight at once. */
  readonly concurrency: number;
  /**
   * Calls that may be added while others take longer than half a second, so that a row that somebody else has locked holds up
   * the items of its own call and no others. Default: none.
   */
  readonly spareCalls?: number;
  /**
   * A call beside another one is sent for at least so many items, or 10 ms after the other one. At a low rate two calls at once would
   * each be half as full, and most of a call's cost does not depend on how many items it has. Default: 1.
   */
  readonly fewestBeside?: number;
  /** Whether the items of a failed call are sent again one by one, under the same ids; a function decides by the error. */
  readonly retryAlone?: boolean | ((error: unknown) => boolean);
  /**
   * Whose item it is: groups take turns if more items wait than one call takes. An item for which a turn was kept goes with the group
   * that it was kept for. Default: all are of one group.
   */
  readonly groupOf?: (item: I) => string;
  /** Items of one group are never in two calls at once, because the calls would wait for each other's row locks. */
  readonly oneCallPerGroup?: boolean;
  /** The maximum number of items that wait for a call. */
  readonly maxWaiting?: number;
  /** How long an item may wait for its call. */
  readonly waitMs?: number;
}

export interface Batcher<I, O> {
  /** Resolves with the item's output, or rejects as its call did. @throws service_unavailable if it was never part of a call */
  (item: I, deadline?: Deadline): Promise<O>;
  /**
   * Keeps a turn for an item of this group that comes later with the same deadline: a request that asks after it finds one more
   * item before it, and it is not refused for its turn any more.
   * @returns what the item would be refused with instead
   */
  keepTurn(group: string, deadline: Deadline): Refusal | undefined;
  /** Whether more items wait than one call takes. Only then an item is refused for its turn. */
  isCrowded(): boolean;
  /** Takes no turn. @returns the `Retry-After` that `keepTurn` would refuse an item of this group with now; undefined if it would not */
  retryAfter(group: string, deadline: Deadline): number | undefined;
  /** The item of this deadline does not come any more. Nothing happens if it came, or if no turn was kept. */
  giveUpTurn(deadline: Deadline): void;
}

interface Waiting<I, O> {
  readonly item: I;
  readonly latest: number;
  /** The request that it belongs to. */
  readonly trace: string | undefined;
  readonly resolve: (output: O) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_WAITING = 5_000;
const WAIT_MS = 5_000;
const LONGEST_RETRY_S = 30;
/**
 * A call that took longer than this is not repeated: it reached its deadline, and so would the repetitions. Whether it
 * was executed is unknown. The callers repeat their requests under the same ids.
 */
const RETRY_WITHIN_MS = 4_000;

/**
 * @param flush takes the waiting items and returns one output for each, in the same order. It must end by itself.
 * @returns a function that takes one item. With a deadline the item is refused at once if more items wait than one call
 * takes and its turn would come too late, by the rate of the last calls; an item that goes into the next call is never
 * refused for that.
 */
export function createBatcher<I, O>(
  flush: (items: readonly I[]) => Promise<readonly O[]>,
  {
    name = 'batch',
    maxBatch,
    concurrency,
    spareCalls = 0,
    fewestBeside = 1,
    retryAlone = false,
    groupOf = () => '',
    oneCallPerGroup = false,
    maxWaiting = MAX_WAITING,
    waitMs = WAIT_MS,
  }: BatcherOptions<I>,
): Batcher<I, O> {
  const queue = createFairQueue<Waiting<I, O>>();
  const rate = createServiceRate();
  const turns = createKeptTurns(queue, () => performance.now());
  const places = createPlaces({ concurrency, spareCalls, fewestBeside }, pump);
  const expireAt = createExpiry(queue, (late) =>
    rejectAll(late, refuseFor(retrySeconds(rate.measuredMs(queue.length + late.length)))),
  );
  const busy = new Set<string>();
  let planned = false;

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

  function rejectAll(batch: readonly Waiting<I, O>[], error: unknown): void {
    for (const waiting of batch) {
      waiting.reject(error);
    }
  }

  function pump(): void {
    planned = false;
    while (queue.length > 0 && places.isFreeFor(queue.length)) {
      const batch = queue.take(maxBatch, ({ item }) => !busy.has(groupOf(item)));
      if (batch.length === 0) {
        break;
      }
      const groups = oneCallPerGroup ? new Set(batch.map(({ item }) => groupOf(item))) : [];
      for (const group of groups) {
        busy.add(group);
      }
      const place = places.take(rate.started(batch.length, queue.length >= maxBatch));
      // the next call is sent before the outputs of this one are processed
      const ended = (answer: () => void) => {
        place.end();
        for (const group of groups) {
          busy.delete(group);
        }
        pump();
        answer();
      };
      call(batch, performance.now()).then(ended, (error: unknown) => ended(() => rejectAll(batch, error)));
    }
  }

  const isCrowded = (): boolean => queue.length + queue.expected >= maxBatch;

  /** Of an item that cannot be served in time. */
  function retryAfter(group: string, deadline: Deadline | undefined): number | undefined {
    if (queue.length >= maxWaiting) {
      return retrySeconds(rate.measuredMs(queue.length));
    }
    if (deadline === undefined || !isCrowded()) {
      return undefined;
    }
    turns.endLate();
    const expectedMs = rate.expectedMs(queue.ahead(group));
    if (performance.now() + expectedMs <= deadline.expectedBy) {
      return undefined;
    }
    return retrySeconds(expectedMs);
  }

  function keepTurn(group: string, deadline: Deadline): Refusal | undefined {
    const seconds = retryAfter(group, deadline);
    if (seconds !== undefined) {
      return refuseFor(seconds);
    }
    turns.keep(group, deadline);
    return undefined;
  }

  function enqueue(item: I, deadline?: Deadline): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      const kept = deadline === undefined ? undefined : turns.end(deadline);
      const group = kept ?? groupOf(item);
      const seconds = retryAfter(group, kept === undefined ? deadline : undefined);
      if (seconds !== undefined) {
        reject(refuseFor(seconds));
        return;
      }
      const latest = Math.min(performance.now() + waitMs, deadline?.latest ?? Number.POSITIVE_INFINITY);
      queue.add(group, { item, latest, trace: currentTrace(), resolve, reject });
      expireAt(latest);
      // After the microtasks of this tick, so that requests parsed together are sent together.
      if (!planned && places.isFreeFor(queue.length)) {
        planned = true;
        setImmediate(pump);
      }
    });
  }

  const giveUpTurn = (deadline: Deadline): void => {
    turns.end(deadline);
  };
  return Object.assign(enqueue, { keepTurn, isCrowded, retryAfter, giveUpTurn });
}

/** @param expectedMs when the queue of this moment is served */
function retrySeconds(expectedMs: number): number {
  return Math.min(Math.max(Math.ceil(expectedMs / 1000), 1), LONGEST_RETRY_S);
}

function refuseFor(retryAfterSeconds: number): Refusal {
  return refuse('service_unavailable', undefined, { retryAfterSeconds });
}

/** A call is a child of the request that waited longest, and linked to the others. */
function tracedCall<T>(name: string, traces: readonly (string | undefined)[], work: () => Promise<T>): Promise<T> {
  const [parent, ...links] = traces.filter((trace) => trace !== undefined);
  return parent === undefined
    ? work()
    : traced(name, { parent, links, facts: { 'inlay.batch_size': traces.length } }, work);
}

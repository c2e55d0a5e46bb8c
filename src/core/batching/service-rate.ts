/** How fast a queue is served, learned from calls that left items waiting; calls of a queue that is empty say nothing of it. */

/** A call that was sent. */
export interface RunningCall {
  /** To be called once, when it has ended. */
  end(): void;
  /** It waits for something of its own, and says nothing of the others; its end is not counted either. */
  leaveOut(): void;
}

export interface ServiceRate {
  started(items: number, leavesOthers: boolean): RunningCall;
  /** How long an item waits with this many before it, in milliseconds; 0 while nothing is known. */
  expectedMs(ahead: number): number;
  /** The same by the calls that have ended alone: nothing is known of one that does not end. */
  measuredMs(ahead: number): number;
}

/** How much of the sums each further call keeps: the last ten calls are two thirds of them. */
const KEPT = 0.9;

export function createServiceRate(now: () => number = () => performance.now()): ServiceRate {
  const running = new Set<{ readonly since: number }>();
  let lastEnd = Number.NEGATIVE_INFINITY;
  let busyMs = 0;
  let served = 0;
  const measuredMs = (ahead: number) => (served === 0 ? 0 : (ahead * busyMs) / served);
  return {
    measuredMs,
    started(items, leavesOthers) {
      const call = { since: now() };
      running.add(call);
      return {
        end() {
          if (!running.delete(call)) {
            return;
          }
          const ended = now();
          if (leavesOthers) {
            busyMs = busyMs * KEPT + ended - Math.max(lastEnd, call.since);
            served = served * KEPT + items;
          }
          lastEnd = ended;
        },
        leaveOut() {
          running.delete(call);
        },
      };
    },
    expectedMs(ahead) {
      const [oldest] = running;
      // a call that already takes long is expected to take as long again
      const runningMs = oldest === undefined ? 0 : now() - oldest.since;
      return measuredMs(ahead) + runningMs;
    },
  };
}

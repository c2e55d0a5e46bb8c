/** Takes items out of a queue that have waited until their last moment. At most one timer runs. */
import type { FairQueue } from './fair-queue.ts';

/**
 * @param expired receives the items that were taken out
 * @returns a function to be called with the last moment of an item that was added, in milliseconds of `performance.now()`
 */
export function createExpiry<T extends { readonly latest: number }>(
  queue: FairQueue<T>,
  expired: (items: readonly T[]) => void,
): (latest: number) => void {
  let planned: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined;

  function expire(): void {
    planned = undefined;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    const late = queue.remove(({ latest }) => {
      next = latest > now ? Math.min(next, latest) : next;
      return latest <= now;
    });
    expired(late);
    if (queue.length > 0) {
      expireAt(next);
    }
  }

  function expireAt(at: number): void {
    if (planned === undefined || at < planned.at) {
      clearTimeout(planned?.timer);
      planned = { at, timer: setTimeout(expire, Math.max(at - performance.now(), 1)).unref() };
    }
  }

  return expireAt;
}

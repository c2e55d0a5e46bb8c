/**
 * How many requests may be sent to one receiver: token buckets that refill steadily. Kinds of requests share a bucket in
 * the order of their importance, and each keeps a reserve that later kinds cannot use up. A receiver of several parts may
 * have a bucket for each of them.
 */
import type { Ticks } from './time.ts';

/** The most important kind first. */
const KINDS = ['look_up', 'cancel', 'send'] as const;
export type RequestKind = (typeof KINDS)[number];

/** One of the receiver's limits. A kind without a cost does not count against it. */
export interface RequestBucket {
  readonly perSecond: number;
  /** The capacity of the bucket. */
  readonly burst: number;
  readonly costs: Partial<Readonly<Record<RequestKind, number>>>;
  /** The receiver has one such bucket for each of its parts, and a request counts against the bucket of its part. */
  readonly eachPart?: boolean;
}

/** `part` is the part of the receiver to which a request goes; 0 if it has none. */
export interface RequestBudget {
  /** @returns true, and counts the request, if one of this kind may be sent */
  spend(kind: RequestKind, part?: number): boolean;
  /** Whether requests of this kind are held back now, on any part, because the receiver refused one. */
  held(kind: RequestKind): boolean;
  /** How many requests of this kind could be sent now, on the part that has the fewest. */
  left(kind: RequestKind): number;
  /**
   * Holds back requests that use the buckets of this kind for a while, because the receiver refused one.
   * @param ms the wait that the receiver demanded; null waits one second, and twice as long after each further refusal, up to a minute
   */
  hold(kind: RequestKind, ms: number | null, part?: number): void;
  /**
   * Sends no more requests of this kind than the receiver still takes, of all processes together.
   * @param left the number that the receiver reported
   * @param waitMs how long no request of this kind is sent
   */
  heed(kind: RequestKind, left: number, waitMs: number): void;
  /** Divides the budget among several processes that send to one receiver. */
  share(processes: number): void;
  /** Adopts changed limits of the same receiver: as many buckets, in the same order. */
  adopt(limits: readonly RequestBucket[]): void;
}

/** The share of a bucket that is reserved for a kind. */
const KEPT: Readonly<Record<RequestKind, number>> = { look_up: 0.2, cancel: 0.1, send: 0 };
/** Multiple of the most expensive request, so that the share that is not reserved holds one of them. */
const LEAST = 1.5;
const FIRST_HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 60_000;

/** Limits of a receiver that counts all requests alike. */
export function oneBucket(perSecond: number): readonly RequestBucket[] {
  return [{ perSecond, burst: perSecond, costs: { look_up: 1, cancel: 1, send: 1 } }];
}

/** How many requests of a kind the limits allow in a second. */
export function ratePerSecond(buckets: readonly RequestBucket[], kind: RequestKind): number {
  const rates = buckets.map(({ perSecond, costs }) => perSecond / (costs[kind] ?? 0));
  return Math.floor(Math.min(...rates));
}

interface Bucket {
  left: number;
  at: number;
  heldUntil: number;
  refusals: number;
}

/** One of the limits, with its buckets by their parts. */
interface Pool {
  limit: RequestBucket;
  readonly buckets: Map<number, Bucket>;
}

/** @param limits of all processes together */
export function createRequestBudget(limits: readonly RequestBucket[], ticks: Ticks): RequestBudget {
  let processes = 1;
  const pools = limits.map((limit): Pool => ({ limit, buckets: new Map() }));
  for (const pool of pools) {
    bucketOf(pool, 0);
  }

  function bucketOf({ limit, buckets }: Pool, part: number): Bucket {
    const key = limit.eachPart === true ? part : 0;
    const bucket = buckets.get(key) ?? { left: limit.burst, at: ticks(), heldUntil: 0, refusals: 0 };
    buckets.set(key, bucket);
    return bucket;
  }

  /** This process's part, and always enough for one request of each kind. */
  function capacityOf({ burst, costs }: RequestBucket): number {
    return Math.max(burst / processes, LEAST * Math.max(...Object.values(costs)));
  }

  function fill(limit: RequestBucket, bucket: Bucket): void {
    const now = ticks();
    const more = ((now - bucket.at) / 1_000) * (limit.perSecond / processes);
    bucket.left = Math.min(capacityOf(limit), bucket.left + more);
    bucket.at = now;
  }

  function fillAll(): void {
    for (const { limit, buckets } of pools) {
      for (const bucket of buckets.values()) {
        fill(limit, bucket);
      }
    }
  }

  const used = (kind: RequestKind) => pools.filter(({ limit }) => limit.costs[kind] !== undefined);

  function free(limit: RequestBucket, { left, heldUntil }: Bucket, kind: RequestKind): number {
    const before = KINDS.slice(0, KINDS.indexOf(kind)).filter((other) => limit.costs[other] !== undefined);
    const kept = before.reduce((sum, other) => sum + KEPT[other], 0) * capacityOf(limit);
    return heldUntil > ticks() ? 0 : Math.max(0, Math.floor((left - kept) / (limit.costs[kind] ?? 1) + 1e-9));
  }

  return {
    left(kind) {
      fillAll();
      const each = used(kind).flatMap(({ limit, buckets }) =>
        [...buckets.values()].map((bucket) => free(limit, bucket, kind)),
      );
      return Math.min(...each);
    },
    held: (kind) =>
      used(kind).some(({ buckets }) => [...buckets.values()].every(({ heldUntil }) => heldUntil > ticks())),
    spend(kind, part = 0) {
      fillAll();
      const own = used(kind).map((pool) => ({ limit: pool.limit, bucket: bucketOf(pool, part) }));
      if (own.some(({ limit, bucket }) => free(limit, bucket, kind) < 1)) {
        return false;
      }
      for (const { limit, bucket } of own) {
        bucket.left -= limit.costs[kind] ?? 0;
      }
      return true;
    },
    hold(kind, ms, part = 0) {
      for (const pool of used(kind)) {
        const bucket = bucketOf(pool, part);
        const again = ticks() - bucket.heldUntil < LONGEST_HOLD_MS && bucket.heldUntil > 0;
        bucket.refusals = again ? bucket.refusals + 1 : 0;
        const wait = ms ?? Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** bucket.refusals);
        bucket.heldUntil = Math.max(bucket.heldUntil, ticks() + wait);
      }
    },
    heed(kind, left, waitMs) {
      fillAll();
      // the other buckets of the kind count requests of other kinds too
      for (const { limit, buckets } of used(kind).filter(({ limit: { costs } }) => Object.keys(costs).length === 1)) {
        for (const bucket of buckets.values()) {
          bucket.left = Math.min(bucket.left, left * (limit.costs[kind] ?? 1));
          bucket.heldUntil = Math.max(bucket.heldUntil, ticks() + Math.min(waitMs, LONGEST_HOLD_MS));
        }
      }
    },
    adopt(newest) {
      fillAll();
      pools.forEach((pool, index) => {
        pool.limit = newest[index] ?? pool.limit;
        for (const bucket of pool.buckets.values()) {
          bucket.left = Math.min(bucket.left, capacityOf(pool.limit));
        }
      });
    },
    share(count) {
      processes = Math.max(1, count);
      fillAll();
    },
  };
}

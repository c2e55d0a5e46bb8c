/**
 * How many requests may be sent to one receiver: its token buckets, which refill steadily. Kinds of requests that use the same
 * bucket come in an order: look-ups, cancellations, sends. A part is reserved for the kinds before a kind, so that it cannot use up
 * everything. It knows neither the receiver nor the requests.
 */
import type { Ticks } from '../clock.ts';

/** In the order in which they go. */
const KINDS = ['look_up', 'cancel', 'send'] as const;
export type RequestKind = (typeof KINDS)[number];

/** One of the receiver's limits. A kind without a cost does not count against it. */
export interface RequestBucket {
  readonly perSecond: number;
  /** The most that it holds. */
  readonly burst: number;
  readonly costs: Partial<Readonly<Record<RequestKind, number>>>;
}

export interface RequestBudget {
  /** @returns whether a request of this kind may be sent; it is then counted */
  spend(kind: RequestKind): boolean;
  /** Whether nothing of this kind is sent now because the receiver refused one. */
  held(kind: RequestKind): boolean;
  /** How many requests of this kind could be sent now. */
  left(kind: RequestKind): number;
  /**
   * The receiver refused a request of this kind: nothing that uses its buckets is sent for a while.
   * @param ms as the receiver asked; null: one second, and twice as long after each further refusal, up to a minute
   */
  hold(kind: RequestKind, ms: number | null): void;
  /** Divides the budget among several processes that send to one receiver. */
  share(processes: number): void;
  /** Takes over other limits of the same receiver: as many buckets, in the same order. */
  adopt(limits: readonly RequestBucket[]): void;
}

/** Parts of a bucket that are reserved for a kind. */
const KEPT: Readonly<Record<RequestKind, number>> = { look_up: 0.2, cancel: 0.1, send: 0 };
/** Multiple of the most expensive request: the part that is not reserved holds one of them. */
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

/** @param limits of all processes together */
export function createRequestBudget(limits: readonly RequestBucket[], ticks: Ticks): RequestBudget {
  let processes = 1;
  const buckets = limits.map((limit) => ({ limit, left: limit.burst, at: ticks(), heldUntil: 0, refusals: 0 }));
  type Bucket = (typeof buckets)[number];

  /** This process's part, and always enough for one request of each kind. */
  function capacityOf({ burst, costs }: RequestBucket): number {
    return Math.max(burst / processes, LEAST * Math.max(...Object.values(costs)));
  }

  function fill(bucket: Bucket): void {
    const now = ticks();
    const { perSecond } = bucket.limit;
    bucket.left = Math.min(
      capacityOf(bucket.limit),
      bucket.left + ((now - bucket.at) / 1_000) * (perSecond / processes),
    );
    bucket.at = now;
  }

  const used = (kind: RequestKind) => buckets.filter(({ limit }) => limit.costs[kind] !== undefined);

  function free({ limit, left, heldUntil }: Bucket, kind: RequestKind): number {
    const before = KINDS.slice(0, KINDS.indexOf(kind)).filter((other) => limit.costs[other] !== undefined);
    const kept = before.reduce((sum, other) => sum + KEPT[other], 0) * capacityOf(limit);
    return heldUntil > ticks() ? 0 : Math.floor((left - kept) / (limit.costs[kind] ?? 1) + 1e-9);
  }

  function left(kind: RequestKind): number {
    const own = used(kind);
    own.forEach(fill);
    return Math.max(0, Math.min(...own.map((bucket) => free(bucket, kind))));
  }

  return {
    left,
    held: (kind) => used(kind).some(({ heldUntil }) => heldUntil > ticks()),
    spend(kind) {
      if (left(kind) < 1) {
        return false;
      }
      for (const bucket of used(kind)) {
        bucket.left -= bucket.limit.costs[kind] ?? 0;
      }
      return true;
    },
    hold(kind, ms) {
      for (const bucket of used(kind)) {
        const again = ticks() - bucket.heldUntil < LONGEST_HOLD_MS && bucket.heldUntil > 0;
        bucket.refusals = again ? bucket.refusals + 1 : 0;
        const wait = ms ?? Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** bucket.refusals);
        bucket.heldUntil = Math.max(bucket.heldUntil, ticks() + wait);
      }
    },
    adopt(newest) {
      buckets.forEach((bucket, index) => {
        fill(bucket);
        bucket.limit = newest[index] ?? bucket.limit;
        bucket.left = Math.min(bucket.left, capacityOf(bucket.limit));
      });
    },
    share(count) {
      processes = Math.max(1, count);
      buckets.forEach(fill);
    },
  };
}

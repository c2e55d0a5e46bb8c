/**
 * A bounded number of requests at a time, shared fairly: no tenant has more than its share, those that wait take turns by
 * tenant, and one that waited too long is refused with the time after which a repetition should get in. It knows no HTTP.
 */

export interface GateLimits {
  /** The maximum number of requests inside. */
  readonly slots: number;
  /** The maximum number of them of one tenant. */
  readonly tenantSlots: number;
  /** The maximum number that wait, and of one tenant. */
  readonly waiting: number;
  readonly tenantWaiting: number;
  /** How long a request may wait. */
  readonly waitMs: number;
  /** A request that is expected to wait longer than this is refused at once: a late answer costs as much as a good one. */
  readonly expectedMs: number;
}

/** Refused: all is full, or the wait was too long or would be. */
export class GateFull extends Error {
  override name = 'GateFull';
  /** Whole seconds after which the requests before this one should be done, by the rate of the last ones. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(`full for ${retryAfterSeconds} s`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface FairGate {
  /** Enters if there is a place now, without a promise. @returns as `enter` does, or undefined: then the request has to wait */
  tryEnter(tenant: string): (() => void) | undefined;
  /** @returns a function that must be called once when the request is over @throws GateFull */
  enter(tenant: string): Promise<() => void>;
  readonly inside: number;
  readonly waiting: number;
}

interface Waiting {
  readonly admit: () => void;
}

interface Tenant {
  inside: number;
  readonly queue: Set<Waiting>;
}

const LONGEST_RETRY_S = 30;
/** How much one more request moves the average of the time inside. */
const WEIGHT = 0.05;

export function createFairGate(limits: GateLimits, now: () => number = () => performance.now()): FairGate {
  /** In the order in which they are served next: the tenant that was served last is at the end. */
  const tenants = new Map<string, Tenant>();
  let inside = 0;
  let waiting = 0;
  let averageMs = 0;

  function tenantOf(name: string): Tenant {
    let tenant = tenants.get(name);
    if (tenant === undefined) {
      tenant = { inside: 0, queue: new Set() };
      tenants.set(name, tenant);
    }
    return tenant;
  }

  function take(name: string, tenant: Tenant): () => void {
    inside += 1;
    tenant.inside += 1;
    const since = now();
    let left = false;
    return () => {
      if (left) {
        return;
      }
      left = true;
      inside -= 1;
      tenant.inside -= 1;
      averageMs += (now() - since - averageMs) * WEIGHT;
      forget(name, tenant);
      admitNext();
    };
  }

  function forget(name: string, tenant: Tenant): void {
    if (tenant.inside === 0 && tenant.queue.size === 0) {
      tenants.delete(name);
    }
  }

  function tryEnter(name: string): (() => void) | undefined {
    const tenant = tenants.get(name);
    const isFree = tenant === undefined || (tenant.inside < limits.tenantSlots && tenant.queue.size === 0);
    return isFree && inside < limits.slots ? take(name, tenant ?? tenantOf(name)) : undefined;
  }

  function admitNext(): void {
    if (waiting === 0) {
      return;
    }
    for (const [name, tenant] of tenants) {
      const [first] = tenant.queue;
      if (first !== undefined && tenant.inside < limits.tenantSlots && inside < limits.slots) {
        tenants.delete(name);
        tenants.set(name, tenant);
        first.admit();
        return;
      }
    }
  }

  /** Turns that come before a new request of this tenant, at the rate of the last requests; never more than all that wait. */
  function expectedWaitMs({ queue }: Tenant): number {
    const withQueue = [...tenants.values()].filter((tenant) => tenant.queue.size > 0).length + (queue.size > 0 ? 0 : 1);
    const turns = Math.min(waiting + 1, (queue.size + 1) * withQueue);
    return Math.max((turns / limits.slots) * averageMs, ((queue.size + 1) / limits.tenantSlots) * averageMs);
  }

  function isFull(tenant: Tenant): boolean {
    return (
      waiting >= limits.waiting ||
      tenant.queue.size >= limits.tenantWaiting ||
      (waiting > 0 && expectedWaitMs(tenant) > limits.expectedMs)
    );
  }

  function retryAfter(): number {
    const seconds = ((waiting + 1) / limits.slots) * (averageMs / 1000);
    return Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_RETRY_S);
  }

  return {
    get inside() {
      return inside;
    },
    get waiting() {
      return waiting;
    },
    tryEnter,
    async enter(name) {
      const leaveAgain = tryEnter(name);
      if (leaveAgain !== undefined) {
        return leaveAgain;
      }
      const tenant = tenantOf(name);
      if (isFull(tenant)) {
        forget(name, tenant);
        throw new GateFull(retryAfter());
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer);
          tenant.queue.delete(entry);
          waiting -= 1;
        };
        const entry: Waiting = {
          admit: () => {
            leave();
            resolve(take(name, tenant));
          },
        };
        const timer = setTimeout(() => {
          leave();
          forget(name, tenant);
          reject(new GateFull(retryAfter()));
        }, limits.waitMs);
        tenant.queue.add(entry);
        waiting += 1;
      });
    },
  };
}

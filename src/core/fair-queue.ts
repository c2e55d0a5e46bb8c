/**
 * The one place that refuses for overload: a bounded number of places, shared fairly by the holders of keys. Waiting holders take turns,
 * one request per turn. Requests that would wait too long are refused, and the refusal contains the number of seconds after which a retry
 * should succeed.
 */
import { refuse } from './errors.ts';

export interface QueueSize {
  /** The most requests that have a place at once. */
  readonly places: number;
  /** The most of them of one holder. */
  readonly placesOfHolder: number;
  /** The most requests of one holder that wait. */
  readonly waitingOfHolder: number;
  /** A request that would wait longer than this is refused at once; one that has waited this long is refused then. */
  readonly lateMs: number;
}

/** Gives the place back; further calls do nothing. */
export type Leave = () => void;

/**
 * Takes a place for a request of this holder.
 * @returns at once if there is a place, otherwise a promise that is rejected with the refusal
 * @throws service_unavailable with `retryAfterSeconds`; nothing was done for the request yet
 */
export type Enter = (holderId: string) => Leave | Promise<Leave>;

/** How much one more request moves the mean of the time in a place. */
const WEIGHT = 0.05;
const LONGEST_RETRY_S = 30;
/** By their seconds. They are made once, because the stack of an error costs as much as the rest of a refusal. */
const REFUSALS = Array.from({ length: LONGEST_RETRY_S + 1 }, (_, retryAfterSeconds) =>
  refuse('service_unavailable', undefined, { retryAfterSeconds }),
);

export function createFairQueue(size: QueueSize, now: () => number = () => performance.now()): Enter {
  let taken = 0;
  const takenOf = new Map<string, number>();
  /** The functions that admit the waiting requests of each holder. The holder whose turn is next comes first. */
  const waitingOf = new Map<string, Set<() => void>>();
  let waiting = 0;
  /** How long a request keeps its place; undefined until one has given it back. */
  let meanMs: number | undefined;

  function take(holderId: string): Leave {
    taken += 1;
    takenOf.set(holderId, (takenOf.get(holderId) ?? 0) + 1);
    const since = now();
    let isTaken = true;
    return () => {
      if (isTaken) {
        isTaken = false;
        const ms = now() - since;
        meanMs = meanMs === undefined ? ms : meanMs + (ms - meanMs) * WEIGHT;
        give(holderId);
      }
    };
  }

  function give(holderId: string): void {
    taken -= 1;
    const others = (takenOf.get(holderId) ?? 0) - 1;
    if (others > 0) {
      takenOf.set(holderId, others);
    } else {
      takenOf.delete(holderId);
    }
    admitNext();
  }

  const mayTake = (holderId: string) => taken < size.places && (takenOf.get(holderId) ?? 0) < size.placesOfHolder;

  function admitNext(): void {
    for (const [holderId, requests] of waitingOf) {
      const [first] = requests;
      if (first !== undefined && mayTake(holderId)) {
        waitingOf.delete(holderId);
        waitingOf.set(holderId, requests);
        first();
        return;
      }
    }
  }

  /** The wait of one more request: all turns before it, or those of its holder alone, whichever takes longer. */
  function expectedMs(ofHolder: number): number {
    const holders = waitingOf.size + (ofHolder === 0 ? 1 : 0);
    const turns = Math.min(waiting + 1, (ofHolder + 1) * holders);
    return (meanMs ?? 0) * Math.max(turns / size.places, (ofHolder + 1) / size.placesOfHolder);
  }

  function wait(holderId: string): Promise<Leave> {
    const requests = waitingOf.get(holderId) ?? new Set();
    if (requests.size >= size.waitingOfHolder || expectedMs(requests.size) > size.lateMs) {
      throw refusalAfter(expectedMs(requests.size));
    }
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        requests.delete(admit);
        waiting -= 1;
        if (requests.size === 0) {
          waitingOf.delete(holderId);
        }
      };
      const admit = () => {
        end();
        resolve(take(holderId));
      };
      const timer = setTimeout(() => {
        end();
        reject(refusalAfter(expectedMs(requests.size)));
      }, size.lateMs);
      requests.add(admit);
      waitingOf.set(holderId, requests);
      waiting += 1;
    });
  }

  return (holderId) => (!waitingOf.has(holderId) && mayTake(holderId) ? take(holderId) : wait(holderId));
}

function refusalAfter(expectedMs: number): unknown {
  return REFUSALS[Math.min(Math.max(Math.ceil(expectedMs / 1000), 1), LONGEST_RETRY_S)];
}

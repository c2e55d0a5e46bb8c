/**
 * Our funds at an exchange, as orders under way leave them: what an order may cost is promised to it before it is sent, so that several
 * orders do not count on the same dollars. A pocket is what the exchange keeps apart: the dollars of one of its parts, or shares.
 */
import { LRUCache } from 'lru-cache';
import type { Ticks } from '../core/time.ts';

export interface PromisedFunds {
  /**
   * Promises an amount of the pocket, in micros, to an order. A repeated promise to it replaces the earlier one.
   * @returns false if the pocket does not have it
   * @throws VenueUnknown if the balance cannot be read
   */
  promise(pocket: string, ourId: string, micros: bigint): Promise<boolean>;
  /** Must be called once the exchange has responded to the order, whatever the response. */
  answered(ourId: string): void;
}

/** How old a balance may be, because other workers spend from the same account. */
const GOOD_MS = 5_000;
/** While orders come, the balance is read beside them, at most this often. */
const REFRESH_MS = 1_000;
/** How long a promise lasts without a response; longer than an order may be under way. */
const LONGEST_MS = 30_000;
/** Shares of many markets are sold in the course of time. */
const MOST_POCKETS = 1_000;

interface Promised {
  readonly ourId: string;
  readonly micros: bigint;
  readonly tick: number;
  /** When the exchange had responded. Every balance that was requested later includes the cost of the order. */
  answeredTick: number | undefined;
}

interface Reading {
  /** When the balance was requested. */
  readonly tick: number;
  readonly micros: bigint;
}

interface Pocket {
  promised: Promised[];
  /** The newest balance. */
  reading: Reading | undefined;
  /** The balance that is being read now, for all orders that need a newer one. */
  beingRead: Promise<Reading> | undefined;
  refresh: NodeJS.Timeout | undefined;
}

/**
 * One balance serves several orders for a short time: promises that were made since, or whose order had no response when it was requested,
 * count in full against it. If it is old or the rest is too small, the balance is read again, once for all orders that wait for it. After
 * each response it is read beside the orders, so that the next one need not wait.
 * @param balanceOf what our account has in a pocket now, in micros
 */
export function openPromisedFunds(ticks: Ticks, balanceOf: (pocket: string) => Promise<bigint>): PromisedFunds {
  const pockets = new LRUCache<string, Pocket>({ max: MOST_POCKETS });

  function pocketOf(name: string): Pocket {
    const known = pockets.get(name) ?? { promised: [], reading: undefined, beingRead: undefined, refresh: undefined };
    pockets.set(name, known);
    known.promised = known.promised.filter(({ tick }) => ticks() - tick < LONGEST_MS);
    return known;
  }

  function promiseFrom({ promised }: Pocket, reading: Reading, ourId: string, micros: bigint): boolean {
    const spent = promised
      .filter((one) => one.ourId !== ourId && (one.answeredTick ?? Number.POSITIVE_INFINITY) >= reading.tick)
      .reduce((sum, one) => sum + one.micros, 0n);
    if (reading.micros - spent < micros) {
      return false;
    }
    const others = promised.filter((one) => one.ourId !== ourId);
    promised.splice(0, promised.length, ...others, { ourId, micros, tick: ticks(), answeredTick: undefined });
    return true;
  }

  function read(pocket: string): Promise<Reading> {
    const known = pocketOf(pocket);
    known.beingRead ??= readNow(pocket).finally(() => {
      known.beingRead = undefined;
    });
    return known.beingRead;
  }

  async function readNow(pocket: string): Promise<Reading> {
    const tick = ticks();
    const reading = { tick, micros: await balanceOf(pocket) };
    pocketOf(pocket).reading = reading;
    return reading;
  }

  /** A balance that cannot be read beside the orders is asked for by the next order that needs it. */
  function refreshSoon(pocket: string): void {
    const known = pocketOf(pocket);
    const ageMs = ticks() - (known.reading?.tick ?? 0);
    known.refresh ??= setTimeout(
      () => {
        known.refresh = undefined;
        read(pocket).catch(() => undefined);
      },
      Math.max(0, REFRESH_MS - ageMs),
    ).unref();
  }

  return {
    async promise(pocket, ourId, micros) {
      const { reading: last } = pocketOf(pocket);
      const fresh = last !== undefined && ticks() - last.tick < GOOD_MS;
      if (fresh && promiseFrom(pocketOf(pocket), last, ourId, micros)) {
        return true;
      }
      const reading = await read(pocket);
      return promiseFrom(pocketOf(pocket), reading, ourId, micros);
    },
    answered(ourId) {
      for (const [pocket, { promised }] of pockets) {
        for (const one of promised.filter((each) => each.ourId === ourId)) {
          one.answeredTick = ticks();
          refreshSoon(pocket);
        }
      }
    },
  };
}

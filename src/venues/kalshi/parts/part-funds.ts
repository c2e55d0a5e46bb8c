/**
 * Keeps orders from being sent that their part of the exchange cannot pay. A balance that was read lately serves several orders:
 * what was promised since counts in full against it, as does what was under way when it was read. If it is not enough, it is read again.
 */
import type { Ticks } from '../../../core/time.ts';

/** Other workers spend from the same account. */
const GOOD_MS = 2_000;
/** Longer than an order may be under way: what was promised and not sent until then is free again. */
const LONGEST_MS = 30_000;

interface Promised {
  readonly ourId: string;
  readonly micros: bigint;
  readonly tick: number;
  /** When the exchange had answered; what it spent is in every balance that was asked for later. */
  answeredTick: number | undefined;
}

interface Reading {
  /** Of the question. */
  readonly tick: number;
  readonly micros: bigint;
}

interface Part {
  promised: Promised[];
  /** The newest. */
  reading: Reading | undefined;
}

export interface PartFunds {
  /** Promises the amount, in millionths of a dollar, if the part has it. @throws VenueUnknown if the balance cannot be read */
  promise(part: number, ourId: string, micros: bigint): Promise<boolean>;
  /** The exchange has answered to this order, whatever it said. */
  answered(ourId: string): void;
}

/** @param balanceOn cash of our account on a part */
export function openPartFunds(ticks: Ticks, balanceOn: (part: number) => Promise<bigint>): PartFunds {
  const parts = new Map<number, Part>();

  function partOf(part: number): Part {
    const known = parts.get(part) ?? { promised: [], reading: undefined };
    parts.set(part, known);
    known.promised = known.promised.filter(({ tick }) => ticks() - tick < LONGEST_MS);
    return known;
  }

  function promiseFrom({ promised }: Part, reading: Reading, ourId: string, micros: bigint): boolean {
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

  return {
    async promise(part, ourId, micros) {
      const { reading: last } = partOf(part);
      const fresh = last !== undefined && ticks() - last.tick < GOOD_MS;
      if (fresh && promiseFrom(partOf(part), last, ourId, micros)) {
        return true;
      }
      const tick = ticks();
      const read = { tick, micros: await balanceOn(part) };
      const known = partOf(part);
      known.reading = known.reading !== undefined && known.reading.tick > tick ? known.reading : read;
      return promiseFrom(known, known.reading, ourId, micros);
    },
    answered(ourId) {
      for (const { promised } of parts.values()) {
        for (const one of promised.filter((each) => each.ourId === ourId)) {
          one.answeredTick = ticks();
        }
      }
    },
  };
}

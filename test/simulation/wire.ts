/**
 * What lies between a simulated process and the rest of the world: each call is a message there and an answer back, and
 * either may be late, lost or repeated. A call whose message is lost hangs until the caller's own deadline.
 */
import type { Chance } from '../support/random.ts';
import type { SimulatedProcess } from './process.ts';

/** Shares of calls that go wrong in each way. */
export interface Faults {
  readonly late: number;
  readonly lost: number;
  readonly repeated: number;
  readonly answerLate: number;
  readonly answerLost: number;
}

export const NO_FAULTS: Faults = { late: 0, lost: 0, repeated: 0, answerLate: 0, answerLost: 0 };

/** Milliseconds; some are longer than every deadline of a caller. */
const DELAYS_MS = [5, 400, 3_000, 9_000, 14_000, 18_000, 22_000, 26_000, 40_000, 120_000, 250_000] as const;

export interface Call<T> {
  readonly what: string;
  /** What happens where the message arrives, each time that it does; null where no answer leaves there. */
  readonly arrive: () => T | null;
}

/** @returns the answer; never, where message or answer is lost. */
export function callOver<T>(
  from: SimulatedProcess,
  chance: Chance,
  faults: Faults,
  { what, arrive }: Call<T>,
): Promise<T> {
  const { queue } = from;
  return new Promise<T>((resolve) => {
    const answer = (settle: () => void) => {
      if (!chance.happens(faults.answerLost)) {
        const delayMs = chance.happens(faults.answerLate) ? chance.pick(DELAYS_MS) : 0;
        queue.post(`answer ${what}`, from, delayMs, () => from.run(settle));
      }
    };
    const send = (delayMs: number) =>
      queue.post(`${from.name} ${what}`, null, delayMs, () => {
        const value = arrive();
        if (value !== null) {
          answer(() => resolve(value));
        }
      });
    if (!chance.happens(faults.lost)) {
      send(chance.happens(faults.late) ? chance.pick(DELAYS_MS) : 0);
    }
    if (chance.happens(faults.repeated)) {
      send(chance.pick(DELAYS_MS));
    }
  });
}

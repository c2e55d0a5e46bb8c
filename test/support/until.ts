/** The two ways in which a test waits: until something has happened, and for time to pass where that is what is tested. */
import { inspect } from 'node:util';

/** A limit for what never happens, and not of speed: beside other work everything takes several times as long. */
const WITHIN_MS = 60_000;
/** Between two looks: a tenth of what was waited already, so that a long wait takes little of the machine. */
const STEP_MS = { least: 20, most: 250 };

type Look<T> = () => Promise<T> | T;

/**
 * Repeats a look until it passes, and fails with its last value or error.
 * @param look throws, as an expectation does, or returns a value that is not good, until what it looks for has happened.
 * @param good says whether the value is what is waited for; without it, a look that does not throw is enough.
 * @param withinMs milliseconds after which it fails.
 * @returns the value of the look that passed.
 */
export function until<T>(look: Look<T>, withinMs?: number): Promise<T>;
export function until<T>(look: Look<T>, good: (value: T) => boolean, withinMs?: number): Promise<T>;
export async function until<T>(
  look: Look<T>,
  wanted: number | ((value: T) => boolean) = WITHIN_MS,
  withinMs = typeof wanted === 'number' ? wanted : WITHIN_MS,
): Promise<T> {
  const began = Date.now();
  for (;;) {
    const waitedMs = Date.now() - began;
    const late = waitedMs > withinMs;
    try {
      const value = await look();
      if (typeof wanted === 'number' || wanted(value)) {
        return value;
      }
      if (late) {
        throw new Error(`not within ${withinMs} ms: ${inspect(value, { depth: 6 })}`);
      }
    } catch (error) {
      if (late) {
        throw error;
      }
    }
    await timePasses(Math.min(STEP_MS.least + waitedMs / 10, STEP_MS.most));
  }
}

/**
 * For tests of time itself: that nothing happens meanwhile, that something happens at its own pace or moment, that a load keeps its
 * rhythm. What is expected to happen is waited for with `until`.
 */
export function timePasses(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

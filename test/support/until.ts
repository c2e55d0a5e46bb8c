/** Waits in tests for what happens soon: repeats a look until it passes, and fails with its last value or error. */
import { expect } from 'vitest';

const WITHIN_MS = 10_000;
const STEP_MS = 20;

/**
 * @param look throws, or returns a value that is not good, until what it looks for has happened.
 * @param good says whether the value is what is waited for; without it, a look that does not throw is enough.
 */
export async function until<T>(
  look: () => Promise<T> | T,
  good: (value: T) => boolean = () => true,
  withinMs = WITHIN_MS,
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const late = Date.now() > end;
    try {
      const value = await look();
      if (good(value)) {
        return value;
      }
      if (late) {
        expect.fail(`not within ${withinMs} ms: ${JSON.stringify(value)}`);
      }
    } catch (error) {
      if (late) {
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

/** Repeats a check until it does not throw. */
export function untilPasses<T>(check: () => Promise<T> | T, withinMs?: number): Promise<T> {
  return until(check, undefined, withinMs);
}

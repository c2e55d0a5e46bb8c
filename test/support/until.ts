/** Waits in tests for what happens soon; fails with the last value where it does not. */
import { expect } from 'vitest';

export async function until<T>(look: () => Promise<T>, good: (value: T) => boolean, patienceMs = 8_000): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const value = await look();
    if (good(value)) {
      return value;
    }
    if (Date.now() > end) {
      expect.fail(`not within ${patienceMs} ms: ${JSON.stringify(value)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BREAKER, closedBreaker, observe, RETRY_WINDOW_MS, retryDelayMs } from '../../src/webhooks/retries.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

function delays(random: () => number): number[] {
  const made: number[] = [];
  let elapsed = 0;
  for (;;) {
    const delay = retryDelayMs(made.length + 1, elapsed, random());
    if (delay === null) {
      return made;
    }
    made.push(delay);
    elapsed += delay;
  }
}

describe('retry schedule', () => {
  // contract 27.8
  test('is 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h, then every 12 h within 3 days', () => {
    const steps = [5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800].map((seconds) => seconds * SECOND);
    expect(delays(() => 0.5)).toEqual([...steps, 12 * HOUR, 12 * HOUR, 12 * HOUR, 12 * HOUR]);
  });

  test('comes a fifth earlier by the least chance, and a fifth later by the greatest', () => {
    expect(delays(() => 0).slice(0, 3)).toEqual([4 * SECOND, 24 * SECOND, 96 * SECOND]);
    expect(delays(() => 0.999_999_999).slice(0, 3)).toEqual([6 * SECOND, 36 * SECOND, 144 * SECOND]);
  });

  test('ends with the window, and may fill it to the millisecond', () => {
    expect(retryDelayMs(1, RETRY_WINDOW_MS - 5 * SECOND, 0.5)).toBe(5 * SECOND);
    expect(retryDelayMs(1, RETRY_WINDOW_MS - 5 * SECOND + 1, 0.5)).toBeNull();
  });

  // contract 27.8
  test('spreads each step by at most a fifth, and never goes past the window', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 1 }),
        (chances) => {
          let index = 0;
          const made = delays(() => chances[index++ % chances.length] ?? 0);
          expect(made.reduce((sum, delay) => sum + delay, 0)).toBeLessThanOrEqual(RETRY_WINDOW_MS);
          expect(made[0]).toBeGreaterThanOrEqual(4 * SECOND);
          expect(made[0]).toBeLessThanOrEqual(6 * SECOND);
          expect(made.length).toBeGreaterThanOrEqual(12);
        },
      ),
    );
  });
});

describe('breaker', () => {
  test('earns concurrency answer by answer, loses half of it to silence, and opens after a row of failures', () => {
    let state = closedBreaker(BREAKER);
    for (let index = 0; index < 100; index += 1) {
      state = observe(state, 'delivered', BREAKER).state;
    }
    expect(state.concurrency).toBe(BREAKER.maxConcurrency);
    state = observe(state, 'silent', BREAKER).state;
    expect(state.concurrency).toBe(BREAKER.maxConcurrency / 2);
    let pauseMs: number | null = null;
    for (let failures = 2; failures < BREAKER.openAfter; failures += 1) {
      expect(pauseMs).toBeNull();
      ({ state, pauseMs } = observe(state, 'answered', BREAKER));
    }
    expect(pauseMs).toBe(BREAKER.firstPauseMs);
    expect(state.concurrency).toBe(BREAKER.startConcurrency);
    ({ state, pauseMs } = observe(state, 'silent', BREAKER));
    expect(pauseMs).toBe(2 * BREAKER.firstPauseMs);
    ({ state, pauseMs } = observe(state, 'delivered', BREAKER));
    expect(state).toEqual(closedBreaker(BREAKER));
  });
});

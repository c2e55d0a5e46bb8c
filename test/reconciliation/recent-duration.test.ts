/** What a refused report or export says about when to try again. */
import { expect, test } from 'vitest';
import { createRecentDuration } from '../../src/reconciliation/recent-duration.ts';

test('five seconds as long as nothing is known, then the mean of the last ones for each turn, up to a minute', () => {
  const durations = createRecentDuration();
  expect(durations.secondsFor(3)).toBe(5);
  durations.record(2_500);
  expect(durations.secondsFor(1)).toBe(3);
  expect(durations.secondsFor(3)).toBe(8);
  for (let turn = 0; turn < 50; turn += 1) {
    durations.record(100);
  }
  expect(durations.secondsFor(1)).toBe(1);
  durations.record(600_000);
  expect(durations.secondsFor(4)).toBe(60);
});

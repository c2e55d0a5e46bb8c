import { describe, expect, test } from 'vitest';
import { timeSteps } from '../../src/frame/parts/chart-lines.ts';

const MINUTE = 60;
const DAY = 86_400;

describe('the times below a chart', () => {
  test.each([
    [3 * MINUTE, true, MINUTE],
    [DAY, true, MINUTE],
    [2 * DAY, false, DAY],
    [90 * DAY, false, DAY],
  ])('over %d s: by the clock %s, never closer than their names differ', (span, clock, least) => {
    const steps = timeSteps(span);
    expect(steps.clock).toBe(clock);
    expect(Math.min(...steps.steps)).toBe(least);
    expect(steps.steps.every((step) => step % least === 0)).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import { namesThatFit, timeSteps } from '../../src/frame/parts/chart-lines.ts';

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

test('the names of scores that would touch the one before are left out, however wide they are', () => {
  const names = [
    { x: 0, width: 20 },
    { x: 30, width: 40 },
    { x: 58, width: 40 },
    { x: 90, width: 40 },
  ];
  expect(namesThatFit(names, 8).map(({ x }) => x)).toEqual([0, 58]);
  expect(namesThatFit(names, 0).map(({ x }) => x)).toEqual([0, 30, 90]);
});

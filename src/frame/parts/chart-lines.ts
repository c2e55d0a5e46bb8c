/**
 * The arithmetic of the lines of a chart: its periods, how far a line has moved, the names above it, and the distance between the
 * times below it.
 * Apart from the charts that draw them, and pure, because its test loads no browser.
 */
import type { PriceHistory } from '../../wire/catalogue.ts';

export type HistoryRange = PriceHistory['data']['range'];

export const HISTORY_RANGES: readonly HistoryRange[] = ['1d', '1w', '1m', 'all'];

type Points = PriceHistory['data']['series'][number]['points'];

/**
 * @param until Unix seconds; null for the last point
 * @returns whole percentage points from the first point to the one at `until`, or null if there are fewer than two points
 */
export function changeOf(points: Points, until: number | null = null): number | null {
  const [first] = points;
  const last = until === null ? points.at(-1) : pointAt(points, until);
  if (first === undefined || last === undefined || points.length < 2) {
    return null;
  }
  return Math.round(last[1] * 100) - Math.round(first[1] * 100);
}

/** @returns the last point that is not after the moment, in Unix seconds, or the first one if all are after it */
export function pointAt(points: Points, second: number): Points[number] | undefined {
  return points.findLast(([at]) => at <= second) ?? points[0];
}

interface Name {
  /** Of its middle. */
  readonly x: number;
  readonly width: number;
}

/** @returns the names that can be written, from left to right, with at least the gap to the one before */
export function namesThatFit<Any extends Name>(names: readonly Any[], gap: number): Any[] {
  const fitting: Any[] = [];
  for (const name of names) {
    const before = fitting.at(-1);
    if (before === undefined || name.x - before.x >= (name.width + before.width) / 2 + gap) {
      fitting.push(name);
    }
  }
  return fitting;
}

const DAY = 86_400;
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * 60);
const DAY_STEPS = [1, 2, 3, 7, 14, 30, 60, 90, 180].map((days) => days * DAY);
/** Up to this span a time of day is more useful than a date, whatever range was requested. */
const LONGEST_BY_CLOCK = 1.5 * DAY;

/**
 * The distances between labels of the time axis that keep all labels different.
 * @param spanSeconds from the oldest point to the newest
 * @returns steps in seconds, and whether their labels are times of day
 */
export function timeSteps(spanSeconds: number): { readonly steps: readonly number[]; readonly clock: boolean } {
  const clock = spanSeconds <= LONGEST_BY_CLOCK;
  return { steps: clock ? CLOCK_STEPS : DAY_STEPS, clock };
}

/** The periods of a chart, and the distance between the times below it, so that no two labels are equal. Pure. */
import type { PriceHistory } from '../../wire/catalogue.ts';

const DAY = 86_400;
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * 60);
const DAY_STEPS = [1, 2, 3, 7, 14, 30, 60, 90, 180].map((days) => days * DAY);
/** Up to this span a time of day is more useful than a date, whatever range was requested. */
const LONGEST_BY_CLOCK = 1.5 * DAY;

/** @param spanSeconds from the oldest point to the newest. @returns steps in seconds, and whether their labels are times of day. */
export function timeSteps(spanSeconds: number): { readonly steps: readonly number[]; readonly clock: boolean } {
  const clock = spanSeconds <= LONGEST_BY_CLOCK;
  return { steps: clock ? CLOCK_STEPS : DAY_STEPS, clock };
}

export type HistoryRange = PriceHistory['data']['range'];

export const HISTORY_RANGES: readonly HistoryRange[] = ['1d', '1w', '1m', 'all'];

/** How far apart the times below a chart stand, so that no two of them read the same. Pure. */
const DAY = 86_400;
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * 60);
const DAY_STEPS = [1, 2, 3, 7, 14, 30, 60, 90, 180].map((days) => days * DAY);
/** Up to here a time of day says more than a date does, however long the range that was asked for. */
const LONGEST_BY_CLOCK = 1.5 * DAY;

/** @param spanSeconds from the oldest point to the newest. @returns steps in seconds, and whether they are named by the clock. */
export function timeSteps(spanSeconds: number): { readonly steps: readonly number[]; readonly clock: boolean } {
  const clock = spanSeconds <= LONGEST_BY_CLOCK;
  return { steps: clock ? CLOCK_STEPS : DAY_STEPS, clock };
}

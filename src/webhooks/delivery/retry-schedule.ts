/** When a failed delivery is retried (contract 27.8). Pure: time and randomness are arguments. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const STEPS_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
] as const;
const LAST_STEP_MS = 12 * HOUR;
const JITTER = 0.2;

/** From the first attempt to the last possible one. */
export const RETRY_WINDOW_MS = 72 * HOUR;

/**
 * @param attempts number of attempts in this window, at least 1
 * @param elapsedMs time since the first of them
 * @param random from 0 to below 1; varies the delay by up to a fifth in either direction
 * @returns milliseconds from now to the next attempt, or null if it would be after the end of the window: the delivery
 * is exhausted
 */
export function retryDelayMs(attempts: number, elapsedMs: number, random: number): number | null {
  const step = STEPS_MS[attempts - 1] ?? LAST_STEP_MS;
  const delay = Math.round(step * (1 - JITTER + 2 * JITTER * random));
  return elapsedMs + delay > RETRY_WINDOW_MS ? null : delay;
}

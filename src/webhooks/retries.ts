/**
 * When deliveries are attempted: the breaker, which bounds how many of an endpoint are in flight and pauses it, and the
 * schedule of retries of one delivery (contract 27.8). Pure: time and randomness are arguments.
 */

/**
 * A healthy endpoint gains concurrency with every acknowledged delivery; a timeout halves it. Several failures in a row open
 * the breaker, and the first delivery that succeeds closes it. A pause delays first attempts and does not count as an
 * attempt. Retries keep their own schedule, so an open breaker leaves them the initial concurrency.
 */
export interface BreakerSettings {
  readonly startConcurrency: number;
  readonly maxConcurrency: number;
  /**
   * Consecutive failures that open the breaker; a silent one counts twice. More than the retries of a single delivery
   * can reach.
   */
  readonly openAfter: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

export const BREAKER: BreakerSettings = {
  startConcurrency: 8,
  maxConcurrency: 64,
  openAfter: 20,
  firstPauseMs: 5_000,
  longestPauseMs: 60_000,
};

/** Silence occupies a connection for ten seconds; an error response costs almost nothing. */
const SILENT_WEIGHT = 2;

/** `answered` is a failure with an HTTP response; `silent` is a timeout or a failed connection. */
export type Verdict = 'delivered' | 'answered' | 'silent';

export interface BreakerState {
  readonly concurrency: number;
  readonly failuresInRow: number;
  /** How often it has opened without closing; 0 while it is closed. */
  readonly openings: number;
}

export function closedBreaker(settings: BreakerSettings): BreakerState {
  return { concurrency: settings.startConcurrency, failuresInRow: 0, openings: 0 };
}

/** @returns the next state and, if the breaker opens now, the length of the pause */
export function observe(
  state: BreakerState,
  verdict: Verdict,
  settings: BreakerSettings,
): { readonly state: BreakerState; readonly pauseMs: number | null } {
  if (verdict === 'delivered') {
    const concurrency =
      state.openings > 0 ? settings.startConcurrency : Math.min(settings.maxConcurrency, state.concurrency + 1);
    return { state: { concurrency, failuresInRow: 0, openings: 0 }, pauseMs: null };
  }
  const failuresInRow = state.failuresInRow + (verdict === 'silent' ? SILENT_WEIGHT : 1);
  if (failuresInRow < settings.openAfter && state.openings === 0) {
    const concurrency = verdict === 'silent' ? Math.max(1, Math.floor(state.concurrency / 2)) : state.concurrency;
    return { state: { ...state, concurrency, failuresInRow }, pauseMs: null };
  }
  const pauseMs = Math.min(settings.firstPauseMs * 2 ** state.openings, settings.longestPauseMs);
  return { state: { concurrency: settings.startConcurrency, failuresInRow, openings: state.openings + 1 }, pauseMs };
}

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

/** The time from the first attempt to the last possible one. */
export const RETRY_WINDOW_MS = 72 * HOUR;

/**
 * When a failed delivery is retried.
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

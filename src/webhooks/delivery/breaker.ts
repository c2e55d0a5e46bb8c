/**
 * How much of an endpoint's backlog may be in flight, and when to leave it alone for a while. Pure.
 * A healthy endpoint earns concurrency answer by answer; silence halves it; a row of failures opens the breaker, and the first
 * delivery that succeeds closes it. A pause delays first attempts and never uses them up. Retries keep their own schedule (rulings 9),
 * so an open breaker leaves them the concurrency that an endpoint starts with.
 */

export interface BreakerSettings {
  readonly startConcurrency: number;
  readonly maxConcurrency: number;
  /** Failures in a row that open the breaker, silent ones counted twice. High enough that one delivery's own retries never do. */
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

/** Silence costs a connection for ten seconds, an error answer costs next to nothing. */
const SILENT_WEIGHT = 2;

/** `answered` is a failure that came as an HTTP answer; `silent` is a timeout or a connection that failed. */
export type Verdict = 'delivered' | 'answered' | 'silent';

export interface BreakerState {
  readonly concurrency: number;
  readonly failuresInRow: number;
  /** How often it has opened without closing; 0 while closed. */
  readonly openings: number;
}

export function closedBreaker(settings: BreakerSettings): BreakerState {
  return { concurrency: settings.startConcurrency, failuresInRow: 0, openings: 0 };
}

/** @returns the next state and, where the breaker opens now, how long to pause. */
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

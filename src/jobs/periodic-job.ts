/**
 * A job that runs at once and then at an interval, never twice at the same time. A failed run is logged and retried in
 * the next interval.
 */

export interface RoundOptions {
  readonly everyMs: number;
  /** Milliseconds until the first run. */
  readonly firstMs?: number;
  /** @param goesOn false once the worker closes; a long run checks it between its steps */
  readonly round: (goesOn: () => boolean) => Promise<unknown>;
  readonly failed: (error: unknown) => void;
  /** A run succeeded. */
  readonly over?: () => void;
}

export interface PeriodicJob {
  /** Resolves when the current run has ended. */
  close(): Promise<void>;
}

export function startPeriodicJob({ everyMs, firstMs = 0, round, failed, over }: RoundOptions): PeriodicJob {
  let running: Promise<void> | undefined;
  let closed = false;
  const turn = () => {
    if (closed || running !== undefined) {
      return;
    }
    running = Promise.resolve()
      .then(() => round(() => !closed))
      .then(() => over?.(), failed)
      .finally(() => {
        running = undefined;
      });
  };
  const first = firstMs > 0 ? setTimeout(turn, firstMs) : undefined;
  const timer = setInterval(turn, everyMs);
  if (first === undefined) {
    turn();
  }
  return {
    close: async () => {
      closed = true;
      clearTimeout(first);
      clearInterval(timer);
      await running;
    },
  };
}

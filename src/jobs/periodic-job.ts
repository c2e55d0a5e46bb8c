/** How jobs repeat: at an interval, never twice at the same time, so that a failed run is retried in the next interval. */

interface PeriodicJobOptions {
  readonly everyMs: number;
  /** Milliseconds until the first run. */
  readonly firstMs?: number;
  /** @param keepGoing returns false once the worker closes; a long run checks it between its steps */
  readonly run: (keepGoing: () => boolean) => Promise<unknown>;
  readonly failed: (error: unknown) => void;
  /** Called after a run that succeeded. */
  readonly over?: () => void;
}

export interface PeriodicJob {
  /** Resolves when the current run has ended. */
  close(): Promise<void>;
}

export function startPeriodicJob({ everyMs, firstMs = 0, run, failed, over }: PeriodicJobOptions): PeriodicJob {
  let running: Promise<void> | undefined;
  let closed = false;
  const start = () => {
    if (closed || running !== undefined) {
      return;
    }
    running = Promise.resolve()
      .then(() => run(() => !closed))
      .then(() => over?.(), failed)
      .finally(() => {
        running = undefined;
      });
  };
  const first = firstMs > 0 ? setTimeout(start, firstMs) : undefined;
  const timer = setInterval(start, everyMs);
  if (first === undefined) {
    start();
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

/**
 * How jobs repeat: at an interval, never twice at the same time, so that a failed run is retried in the next interval; or in a separate
 * loop, with rests that end early if work is due.
 */

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

interface Rest {
  /** Waits so many milliseconds, or until `wake`. Returns at once if it was called since the last rest. */
  rest(ms: number): Promise<void>;
  wake(): void;
}

/** The rests of one loop. */
export function createRest(): Rest {
  let isWoken = false;
  let end: (() => void) | undefined;
  return {
    async rest(ms) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>();
        end = resolve;
        const timer = setTimeout(resolve, ms);
        await promise;
        clearTimeout(timer);
        end = undefined;
      }
      isWoken = false;
    },
    wake() {
      isWoken = true;
      end?.();
    },
  };
}

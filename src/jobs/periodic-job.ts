/**
 * A job that runs at once and then at an interval, never twice at the same time, and the log of one that fails repeatedly.
 * A failed run is retried in the next interval.
 */
import type { Logger } from '../core/log.ts';
import { isDatabaseAway } from '../db/database-errors.ts';
import { VenueUnknown } from '../venues/port.ts';

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

const REPEAT_AFTER_MS = 60_000;
/** The paper venue may take this long to listen. */
const STARTING_MS = 5_000;

interface FailureLog {
  failed(error: unknown, facts?: Readonly<Record<string, unknown>>): void;
  /** A run succeeded. */
  over(): void;
}

/**
 * Logs a job that fails repeatedly: the first failure at once, then one line per minute with the number of failures, and
 * one line when it succeeds again. A database or a venue that does not answer is logged without a stack trace, and not at
 * all in the first seconds, while the parts of a service start.
 * @param what text of the log line
 */
export function logFailures(log: Logger, job: string, what: string): FailureLog {
  const started = performance.now();
  let succeeded = false;
  let about: string | undefined;
  let since = 0;
  let loggedAt = 0;
  let repeated = 0;

  return {
    failed(error, facts = {}) {
      const now = performance.now();
      const lostDatabase = isDatabaseAway(error);
      const away = lostDatabase || error instanceof VenueUnknown;
      if (away && !succeeded && now - started < STARTING_MS) {
        return;
      }
      const why = error instanceof Error ? error.message : String(error);
      const kind = lostDatabase ? 'away' : why;
      since = about === undefined ? now : since;
      if (kind === about && now - loggedAt < REPEAT_AFTER_MS) {
        repeated += 1;
        return;
      }
      const times = repeated > 0 ? { alsoTimes: repeated } : {};
      about = kind;
      loggedAt = now;
      repeated = 0;
      if (away) {
        log.warn({ job, why, ...facts, ...times }, what);
      } else {
        log.error({ job, err: error, ...facts, ...times }, what);
      }
    },
    over() {
      succeeded = true;
      if (about !== undefined) {
        log.info({ job, afterSeconds: Math.round((performance.now() - since) / 1_000) }, 'the job succeeds again');
        about = undefined;
        repeated = 0;
      }
    },
  };
}

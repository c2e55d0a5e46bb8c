/**
 * The log of work that is repeated while it fails, so that an outage is one line and then a count. Used by the board, by
 * ingestion, by the counters of requests and by the jobs of a worker.
 */
import type { Logger } from '../core/log.ts';
import { isDatabaseAway } from './database-errors.ts';

const REPEAT_AFTER_MS = 60_000;
/** A part of a service may take this long until it listens. */
const STARTING_MS = 5_000;

export interface FailureLog {
  failed(error: unknown, facts?: Readonly<Record<string, unknown>>): void;
  /** A run succeeded. */
  over(): void;
}

/**
 * Logs a job that fails repeatedly: the first failure at once, then one line per minute with the number of failures, and one line when it
 * succeeds again, with the failures since. A database that does not respond is logged without a stack trace, and not at all in the first
 * seconds, while the parts of a service start.
 * @param what text of the log line
 * @param isSilence whether an error means that another service does not respond
 */
export function logFailures(
  log: Logger,
  job: string,
  what: string,
  isSilence: (error: unknown) => boolean = () => false,
): FailureLog {
  const started = performance.now();
  let succeeded = false;
  let about: string | undefined;
  let since = 0;
  let loggedAt = 0;
  let repeated = 0;

  /** How often it failed since the last line. */
  function takeTimes(): { readonly alsoTimes?: number } {
    const alsoTimes = repeated;
    repeated = 0;
    return alsoTimes > 0 ? { alsoTimes } : {};
  }

  return {
    failed(error, facts = {}) {
      const now = performance.now();
      const lostDatabase = isDatabaseAway(error);
      const away = lostDatabase || isSilence(error);
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
      about = kind;
      loggedAt = now;
      if (away) {
        log.warn({ job, why, ...facts, ...takeTimes() }, what);
      } else {
        log.error({ job, err: error, ...facts, ...takeTimes() }, what);
      }
    },
    over() {
      succeeded = true;
      if (about !== undefined) {
        const afterSeconds = Math.round((performance.now() - since) / 1_000);
        log.info({ job, afterSeconds, ...takeTimes() }, 'the job succeeds again');
        about = undefined;
      }
    },
  };
}

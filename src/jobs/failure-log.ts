/**
 * How the log reports a job that fails repeatedly: the first failure at once, then one line a minute with the number of
 * failures, and one line when it succeeds again. A database or a venue that does not answer is logged without a stack trace.
 * Decides nothing.
 */
import type { Logger } from '../core/log.ts';
import { isDatabaseAway } from '../db/database-errors.ts';
import { VenueUnknown } from '../venues/port.ts';

const TELL_EVERY_MS = 60_000;

export interface TroubleTeller {
  failed(error: unknown, facts?: Readonly<Record<string, unknown>>): void;
  /** A run succeeded. */
  over(): void;
}

/** @param what the text of the log line */
export function logFailures(log: Logger, job: string, what: string): TroubleTeller {
  let about: string | undefined;
  let since = 0;
  let toldAt = 0;
  let untold = 0;

  return {
    failed(error, facts = {}) {
      const now = performance.now();
      const lostDatabase = isDatabaseAway(error);
      const away = lostDatabase || error instanceof VenueUnknown;
      const why = error instanceof Error ? error.message : String(error);
      const kind = lostDatabase ? 'away' : why;
      since = about === undefined ? now : since;
      if (kind === about && now - toldAt < TELL_EVERY_MS) {
        untold += 1;
        return;
      }
      const times = untold > 0 ? { alsoTimes: untold } : {};
      about = kind;
      toldAt = now;
      untold = 0;
      if (away) {
        log.warn({ job, why, ...facts, ...times }, what);
      } else {
        log.error({ job, err: error, ...facts, ...times }, what);
      }
    },
    over() {
      if (about !== undefined) {
        log.info({ job, afterSeconds: Math.round((performance.now() - since) / 1_000) }, 'it works again');
        about = undefined;
        untold = 0;
      }
    },
  };
}

/** Takes what venues said that this release does not know: logs each word once, and keeps how often it was seen. */
import type { Logger } from '../core/log.ts';
import type { Sql } from '../db/client.ts';
import { recordUnknownWords } from '../trading/account/unknown-words.ts';
import type { Venue } from '../venues/port.ts';
import { logFailures } from './failure-log.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

const EVERY_MS = 5_000;

export function startUnknownWords(sql: Sql, log: Logger, venues: readonly Venue[]): PeriodicJob {
  const trouble = logFailures(log, 'unknown-words', 'what venues said cannot be recorded');
  return startPeriodicJob({
    everyMs: EVERY_MS,
    run: async () => {
      for (const venue of venues) {
        const words = venue.unknowns?.() ?? [];
        for (const { about, word } of words.length === 0 ? [] : await recordUnknownWords(sql, venue.name, words)) {
          log.warn({ venue: venue.name, about, word }, 'the venue says what this release does not know');
        }
      }
    },
    failed: trouble.failed,
    over: trouble.over,
  });
}

/**
 * Appends new feed items to the operators' logs with a signed checkpoint, so that none is more than ten seconds behind its
 * feed. A failed run is retried; what is not in the log yet is not lost.
 */
import type { Context } from '../context.ts';
import { loadLogSigner, sealFeeds } from '../ledger/log/sign-log.ts';
import { logFailures } from './failure-log.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

const EVERY_MS = 2_000;

export function startFeedSealing({ sql, log, environment, secrets }: Context): PeriodicJob {
  const signer = loadLogSigner(environment, secrets);
  return startPeriodicJob({
    everyMs: EVERY_MS,
    run: (keepGoing) => sealFeeds(sql, signer, keepGoing),
    ...logFailures(log, 'feed log', 'could not append to the feed logs; will retry'),
  });
}

/** Has checkpoints stamped by the authority of INLAY_TIMESTAMP_URL, if one is set. A failed run is retried in the next interval. */
import type { Context } from '../context.ts';
import { timestampCheckpoints } from '../ledger/transparency-log/timestamp-checkpoints.ts';
import { logFailures } from './failure-log.ts';
import { startPeriodicJob } from './periodic-job.ts';

const EVERY_MS = 60_000;

export function startTimestamps({ sql, log, environment }: Context): { close(): Promise<void> } {
  const { timestampUrl } = environment;
  if (timestampUrl === undefined) {
    return { close: async () => {} };
  }
  return startPeriodicJob({
    everyMs: EVERY_MS,
    run: (keepGoing) => timestampCheckpoints(sql, timestampUrl, keepGoing),
    ...logFailures(log, 'time-stamps', 'could not have checkpoints time-stamped; will retry'),
  });
}

/** Seals the ledger every few seconds. A failed run is retried; entries that are not sealed yet are not lost. */
import type { Context } from '../context.ts';
import { sealLedger } from '../ledger/seal.ts';
import { logFailures } from './failure-log.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

const EVERY_MS = 3_000;

export function startSealing({ reports, log }: Context): PeriodicJob {
  return startPeriodicJob({
    everyMs: EVERY_MS,
    run: () => sealLedger(reports),
    ...logFailures(log, 'sealing', 'could not seal the ledger; will retry'),
  });
}
